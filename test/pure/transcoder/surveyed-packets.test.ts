import { expect, test } from 'vitest';
import {
  columnsOf,
  type SurveyedPacket,
  surveyedPackets,
} from '../../../transcoder/model/surveyed-packets.ts';

const kinds = [true, false].flatMap((key) =>
  [true, false].flatMap((hidden) =>
    (['closed', 'open', null] as const).map((entry) => ({ key, hidden, entry })),
  ),
);
const packets = kinds.map(
  (kind, at): SurveyedPacket => ({ ...kind, pts: at * 512 - 1024, dts: at * 512 - 2048, duration: 512 + at }),
);

test('packets of every kind arrive as they were sent', () => {
  const sent = JSON.parse(JSON.stringify(columnsOf(packets)));
  expect(surveyedPackets.parse(sent)).toEqual(packets);
  expect(surveyedPackets.parse(columnsOf([]))).toEqual([]);
});

test.each([
  ['a column that is short', { dts: [0] }],
  ['a mark that is missing', { marks: '0' }],
  ['times that are no whole numbers', { pts: packets.map(() => 0.5) }],
])('%s is refused', (_, wrong) => {
  expect(surveyedPackets.safeParse({ ...columnsOf(packets), ...wrong }).success).toBe(false);
});
