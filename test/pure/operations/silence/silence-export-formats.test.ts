import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pacedFrames } from '../../../../transcoder/operations/plan/frames.ts';
import type { Segment } from '../../../../transcoder/operations/silence/detect.ts';
import { editOf } from '../../../../transcoder/operations/silence/edit-list.ts';
import { csvText } from '../../../../transcoder/operations/silence/export/csv.ts';
import type { Edit } from '../../../../transcoder/operations/silence/export/edit.ts';
import { edlText } from '../../../../transcoder/operations/silence/export/edl.ts';
import { fcpxmlText } from '../../../../transcoder/operations/silence/export/fcpxml.ts';
import { otioText } from '../../../../transcoder/operations/silence/export/otio.ts';
import { firstHour } from '../../../../transcoder/operations/silence/export/timecode.ts';
import { clipsLeft } from '../../../../transcoder/operations/silence/segments.ts';
import { readCsv } from '../../../formats/csv.ts';
import { frameOf, readEdl } from '../../../formats/edl.ts';
import type { ReadEvent } from '../../../formats/event.ts';
import { readFcpxml } from '../../../formats/fcpxml.ts';
import { readOtio } from '../../../formats/otio.ts';
import { source } from '../sources.ts';

const rates = [
  [24_000, 1001],
  [24, 1],
  [25, 1],
  [30_000, 1001],
  [30, 1],
  [50, 1],
  [60_000, 1001],
  [60, 1],
] as const;

/** Of action and surveillance cameras. Timecodes do not count at these; times in seconds are exact all the same. */
const unusualRates = [
  [120_000, 1001],
  [48_000, 1001],
  [15_000, 1001],
  [25, 2],
] as const;

type FrameRate = readonly [frames: number, seconds: number];

interface Case {
  rate: FrameRate;
  edit: Edit;
  segments: Segment[];
}

/** An edit of up to four hours whose segments begin and end at frames, by turns kept and silent. */
const casesAt = (each: readonly FrameRate[]): fc.Arbitrary<Case> =>
  fc
    .record({
      rate: fc.constantFrom(...each),
      lengths: fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 60_000 })), {
        minLength: 1,
        maxLength: 14,
      }),
      silentFirst: fc.boolean(),
      mode: fc.constantFrom('remove', 'speed_up', 'mute'),
      silent_speed: fc.constantFrom(1, 1.5, 2, 4, 7.3, 16),
      picture: fc.boolean(),
      channels: fc.constantFrom(1, 2, 6),
      name: fc.constantFrom(
        'talk.mp4',
        'a%20%26%20%3Cb%3E%20%22c%22%20%27d%27.mp4',
        `${'long'.repeat(40)}.mov`,
        '',
      ),
    })
    .map(({ rate: [frames, seconds], lengths, silentFirst, mode, silent_speed, picture, channels, name }) => {
      // Sound alone is counted in thirtieths.
      const rate = picture ? ([frames, seconds] as const) : ([30, 1] as const);
      const step = rate[1] / rate[0];
      let at = 0;
      const segments = lengths.map((length, index): Segment => {
        const start = at * step;
        at += length;
        return { start, end: at * step, action: (index % 2 === 0) === silentFirst ? 'silent' : 'keep' };
      });
      const grid = picture ? pacedFrames({ zero: 0, step, count: at, until: at * step }) : null;
      const clips = clipsLeft(segments, { mode, silent_speed }, grid);
      const audio = source.audio && { ...source.audio, channels };
      const probe = { ...source, ...(picture ? {} : { video: null }), audio, duration: at * step };
      const input = { video_url: `https://media.example.com/${name}` };
      return { rate, segments, edit: editOf({ input, probe, segments, clips, grid }, false) };
    })
    .filter(({ edit }) => edit.events.length > 0);

/** The events that a reader has to find; what is silent has no place in the source. */
function wanted({ events, picture }: Edit): ReadEvent[] {
  return events.map(({ from, to, at, until, muted }) => {
    if (muted && !picture) return { from: 0, to: until - at, at, until, shows: 'nothing' };
    return { from, to, at, until, shows: muted ? 'picture' : picture ? 'both' : 'sound' };
  });
}

const every = (check: (one: Case) => void, each: readonly FrameRate[] = rates) =>
  fc.assert(fc.property(casesAt(each), check), { numRuns: 300 });

describe('an export, read by the rules of its format, is the edit again:', () => {
  test('EDL, at every rate, drop-frame or not', () => {
    every(({ rate, edit }) => {
      const read = readEdl(edlText(edit), rate[0] / rate[1]);
      const hour = firstHour(edit.rate);
      const events = read.events.map(({ at, until, ...event }) => ({
        ...event,
        at: at - hour,
        until: until - hour,
      }));
      expect(events).toEqual(wanted(edit));
      expect(read.drop).toBe(rate[1] === 1001 && rate[0] !== 24_000);
      expect(edit.name.startsWith(read.title)).toBe(true);
      expect(new Set(read.clips).size).toBeLessThanOrEqual(1);
    });
  });

  test('FCPXML, in whole frames', () => {
    every(({ rate, edit }) => {
      const read = readFcpxml(fcpxmlText(edit), [rate[1], rate[0]]);
      expect(read.events).toEqual(wanted(edit));
      expect(read.name).toBe(edit.name);
      expect(decodeURIComponent(read.src ?? '')).toBe(`./${edit.name}`);
      expect(read.counts).toBe(edit.rate.drop ? 'DF' : 'NDF');
    });
  });

  test('FCPXML, in seconds at rates that no timecode counts', () => {
    every(({ rate, edit }) => {
      const read = readFcpxml(fcpxmlText(edit), [rate[1], rate[0]]);
      expect(read.events).toEqual(wanted(edit));
      expect(read.counts).toBe('NDF');
    }, unusualRates);
  });

  test('OpenTimelineIO, picture and sound side by side', () => {
    every(({ rate, edit }) => {
      const read = readOtio(otioText(edit), rate[0] / rate[1]);
      expect(read.events).toEqual(wanted(edit));
      expect(read.name).toBe(edit.name);
    });
  });

  test('CSV, with the segments as they were decided', () => {
    every(({ rate, edit, segments }) => {
      const rows = readCsv(csvText(edit));
      const [nominal, drop] = [Math.round(rate[0] / rate[1]), edit.rate.drop];
      expect(
        rows.map(({ start, end, action }) => ({ start: Number(start), end: Number(end), action })),
      ).toEqual(segments);
      for (const row of rows) {
        expect(Number(row.start_frame)).toBe(Math.round((Number(row.start) * rate[0]) / rate[1]));
        expect(frameOf(row.start_timecode ?? '', nominal, drop)).toBe(Number(row.start_frame));
        expect(frameOf(row.end_timecode ?? '', nominal, drop)).toBe(Number(row.end_frame));
      }
    });
  });
});

describe('a reader refuses', () => {
  const edit = fc.sample(
    casesAt(rates).filter((one) => one.edit.picture !== null && one.edit.events.length > 2),
    { numRuns: 1, seed: 1 },
  )[0]?.edit as Edit;
  const perSecond = edit.rate.frames / edit.rate.seconds;

  test.each([
    ['an EDL whose events do not follow on', () => readEdl(edlText(edit).replace(/^002/m, '003'), perSecond)],
    ['an EDL without a mode', () => readEdl(edlText(edit).replace('FCM', 'FCN'), perSecond)],
    ['FCPXML that is not well-formed', () => readFcpxml(fcpxmlText(edit).replace('</spine>', ''), [1, 30])],
    [
      'FCPXML with an attribute that the DTD lacks',
      () => readFcpxml(fcpxmlText(edit).replace('tcStart', 'tcBegin'), [edit.rate.seconds, edit.rate.frames]),
    ],
    [
      'FCPXML that refers to nothing',
      () =>
        readFcpxml(fcpxmlText(edit).replace('ref="r2"', 'ref="r3"'), [edit.rate.seconds, edit.rate.frames]),
    ],
    [
      'OpenTimelineIO of an unknown schema',
      () => readOtio(otioText(edit).replace('Clip.2', 'Clip.9'), perSecond),
    ],
    ['CSV with an open quote', () => readCsv('a,b\r\n"1,2\r\n')],
  ])('%s', (_, read) => expect(read).toThrow());
});
