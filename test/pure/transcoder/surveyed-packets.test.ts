import { expect, test } from 'vitest';
import {
  type SurveyedPacket,
  SurveyedPackets,
  surveyedPackets,
} from '../../../transcoder/model/source/surveyed-packets.ts';

const kinds = [true, false].flatMap((key) =>
  [true, false].flatMap((hidden) =>
    (['closed', 'open', null] as const).map((entry) => ({ key, hidden, entry })),
  ),
);
const packets = kinds.map(
  (kind, at): SurveyedPacket => ({ ...kind, pts: at * 512 - 1024, dts: at * 512 - 2048, duration: 512 + at }),
);

const sentOf = (list: readonly SurveyedPacket[]) => JSON.parse(JSON.stringify(SurveyedPackets.of(list)));

function listed(list: SurveyedPackets): SurveyedPacket[] {
  return Array.from(list.pts, (pts, at) => ({
    ...{ pts, dts: list.dts[at] ?? 0, duration: list.duration[at] ?? 0 },
    ...{ key: list.isKey(at), entry: list.entryAt(at), hidden: list.isHidden(at) },
  }));
}

test('packets of every kind arrive as they were sent', () => {
  expect(listed(surveyedPackets.parse(sentOf(packets)))).toEqual(packets);
  expect(surveyedPackets.parse(sentOf([]))).toHaveLength(0);
});

test('a part has the packets between two places, and none beyond the last', () => {
  const part = SurveyedPackets.of(packets).part(3, 7);
  expect(listed(part)).toEqual(packets.slice(3, 7));
  expect(listed(part.part(1, 9))).toEqual(packets.slice(4, 7));
  expect(part.part(9, 12)).toHaveLength(0);
});

test.each([
  ['a column that is short', { dts: sentOf(packets.slice(1)).dts }],
  ['a mark that is missing', { marks: sentOf(packets.slice(1)).marks }],
  ['times that are no text', { pts: packets.map(() => 0) }],
  [
    'times that end within a number',
    { pts: Buffer.from([...packets.map(() => 0), 0x80]).toString('base64') },
  ],
])('%s is refused', (_, wrong) => {
  expect(surveyedPackets.safeParse({ ...sentOf(packets), ...wrong }).success).toBe(false);
});
