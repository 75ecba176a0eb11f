import { describe, expect, test } from 'vitest';
import { operations } from '../../schema/operations/index.ts';
import { readTimeline } from '../../schema/otio/document.ts';
import type { TimeMap } from '../../schema/task/task.ts';
import { partsOf } from '../../transcoder/media/verify/anchors.ts';
import { SurveyedPackets } from '../../transcoder/model/source/surveyed-packets.ts';
import { pictured } from '../../transcoder/operations/plan/captions/emoji-pictures.ts';
import { emojiWordsIn } from '../../transcoder/operations/plan/captions/emoji-words.ts';
import { keptWithin } from '../../transcoder/operations/silence/detect.ts';
import { editByText } from '../../transcoder/operations/silence/edit-by-text.ts';
import { silenceProcess } from '../../transcoder/operations/silence/silence-process.ts';
import { removals } from '../../transcoder/operations/silence/words/choose-words.ts';
import { cutSpans } from '../../transcoder/operations/silence/words/cut-spans.ts';
import { least } from './doubling/growth.ts';
import { clip, gap, range, timeline, track } from './operations/otio/otio-documents.ts';
import { surveyOf } from './operations/plan-lines.ts';
import { like, means, source } from './operations/sources.ts';

const url = 'https://media.example.com/a';

/** How many times as long something takes as something else, in CPU time. */
const ratio = (one: () => unknown, other: () => unknown) => least(3, one) / least(3, other);

/** One word a second. */
const spoken = (count: number, text: string) =>
  Array.from({ length: count }, (_, start) => ({ text, start, end: start + 0.5 }));

// Planners run on the thread that sends heartbeats: what takes minutes there ends the task.
describe('the longest requests take no longer than their length', { timeout: 300_000, retry: 2 }, () => {
  test('phrases that are nearly said everywhere', () => {
    const words = spoken(3000, 'あ'.repeat(12));
    const removed = (phrase: string) => {
      const remove = { phrases: Array.from({ length: 200 }, () => phrase) };
      return removals(words, operations.edit_by_text.input.parse({ audio_url: url, remove }), 'ja');
    };
    const grown = ratio(
      () => removed(`${'あ'.repeat(199)}い`),
      () => removed(`い${'あ'.repeat(199)}`),
    );
    expect(grown).toBeLessThan(4);
  });
  test('ranges to remove between many words', () => {
    const words = spoken(20_000, 'so');
    const removed = words.map(() => false);
    const cuts = (count: number) => {
      const ranges = Array.from({ length: count }, (_, at) => ({ start: at + 0.7, end: at + 0.8 }));
      return cutSpans({ words, removed, ranges, padding: 0.1, duration: 30_000 });
    };
    expect(cuts(1000)).toHaveLength(1000);
    const grown = ratio(
      () => cuts(1000),
      () => cuts(1),
    );
    expect(grown).toBeLessThan(8);
  });

  test('words to mask between many cuts', () => {
    const words = spoken(4000, 'so').flatMap((word) => [
      word,
      { text: 'um', start: word.start + 0.6, end: word.start + 0.8 },
    ]);
    const planned = (request: object) => {
      const remove = { words: ['um'] };
      const edit = { audio_url: url, mode: 'detect', words, remove, profanity: 'mute', ...request };
      const input = operations.edit_by_text.input.parse(edit);
      const probe = { ...source, duration: 4000 };
      return editByText.plan({ input, probes: [probe], facts: { survey: null }, ...means });
    };
    const grown = ratio(
      () => planned({ mask_words: ['so'] }),
      () => planned({}),
    );
    expect(grown).toBeLessThan(4);
  });
  test('many captions with emoji that are chosen', () => {
    const chosen = emojiWordsIn('en');
    const words = spoken(1800, 'fire').map((word) => ({ ...word, glued: false, confidence: null }));
    const captions = words.map((word) => ({ words: [word], shown: { start: word.start, end: word.end } }));
    const grown = ratio(
      () => pictured(captions, 'auto', chosen),
      () => pictured([{ words, shown: null }], 'auto', chosen),
    );
    expect(grown).toBeLessThan(10);
  });

  test('two tracks of pictures that lie one over the other', () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, at) => (at % 2 ? clip({ source_range: range(0, 1) }) : gap(1)));
    const read = (...counts: number[]) =>
      readTimeline(timeline(...counts.map((count) => track(items(count)))));
    expect(read(20, 20).faults).toEqual([]);
    const grown = ratio(
      () => read(3000, 3000),
      () => read(6000),
    );
    expect(grown).toBeLessThan(9);
  });

  test('many tracks of pictures, each of which shows the end of the one below', () => {
    const read = (count: number, each: number) =>
      readTimeline(
        timeline(
          ...Array.from({ length: count }, (_, at) =>
            track(Array.from({ length: each }, () => clip({ source_range: range(0, 2 * (count - at)) }))),
          ),
        ),
      );
    expect(read(100, 3).faults).toEqual([]);
    expect(read(101, 3).faults).toHaveLength(1);
    expect(read(101, 3).faults[0]?.message).toContain('more than 100 video tracks');
    const grown = ratio(
      () => read(6000, 1),
      () => read(1, 6000),
    );
    expect(grown).toBeLessThan(9);
    const most = ratio(
      () => read(100, 60),
      () => read(1, 6000),
    );
    expect(most).toBeLessThan(12);
  });

  test('parts of a result that are compared with their sources', () => {
    const placed = (count: number) => ({
      map: Array.from({ length: count }, (_, at): TimeMap[number] => ({
        source: 0,
        in: [at, at + 1],
        out: [at, at + 1],
      })),
      frames: { sources: [0.04], made: 0.04 },
      fades: { in: 0, out: 0 },
    });
    expect(partsOf(placed(3)).map(({ out }) => out)).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    const grown = ratio(
      () => partsOf(placed(16_000)),
      () => partsOf(placed(2000)),
    );
    expect(grown).toBeLessThan(20);
  });

  test('what is heard around the edges of silences', () => {
    const holds = (count: number) => {
      const heard = Array.from({ length: count }, (_, at) => ({ start: 2 * at, end: 2 * at + 1 }));
      const isKept = keptWithin({ protect_ranges: [] }, heard);
      return () => {
        for (let at = 0; at < 3000; at++) isKept({ start: 9000, end: 9000.1 });
      };
    };
    expect(keptWithin({ protect_ranges: [] }, [{ start: 4, end: 6 }])({ start: 0.05, end: 0.06 })).toBe(true);
    expect(keptWithin({ protect_ranges: [] }, [{ start: 4, end: 6 }])({ start: 0.06, end: 0.07 })).toBe(
      false,
    );
    expect(ratio(holds(200_000), holds(2000))).toBeLessThan(10);
  });

  test('many clips of a source whose only keyframe is its first picture', () => {
    const seconds = 3000;
    const [whole] = surveyOf(seconds).parts;
    const packets = Array.from({ length: seconds * 30 }, (_, at) => ({
      ...{ pts: at * 512, dts: at * 512, duration: 512, hidden: false, key: at === 0 },
      entry: at === 0 ? ('closed' as const) : null,
    }));
    expect(whole?.pts.length).toBe(packets.length);
    const facts = { survey: { ...surveyOf(1), parts: [SurveyedPackets.of(packets)] } };
    const probe = like({ duration: seconds, frames: packets.length }, { duration: seconds });
    const planned = (count: number) => {
      const segments = Array.from({ length: count }, (_, at) => ({
        ...{ start: seconds - 2 * count + 2 * at, end: seconds - 2 * count + 2 * at + 1, action: 'silent' },
      }));
      const input = operations.silence_process.input.parse({ video_url: url, segments });
      return silenceProcess.plan({ input, probes: [probe], facts, ...means });
    };
    expect(planned(3).rendered_because).toBeUndefined();
    expect(planned(1400).rendered_because).toBe('little_to_copy');
    expect(
      ratio(
        () => planned(1400),
        () => planned(20),
      ),
    ).toBeLessThan(20);
  });
});
