import { describe, expect, test } from 'vitest';
import { operations } from '../../schema/operations/index.ts';
import { readTimeline } from '../../schema/otio/document.ts';
import { pictured } from '../../transcoder/operations/plan/captions/emoji-pictures.ts';
import { emojiWordsIn } from '../../transcoder/operations/plan/captions/emoji-words.ts';
import { editByText } from '../../transcoder/operations/silence/edit-by-text.ts';
import { removals } from '../../transcoder/operations/silence/words/choose-words.ts';
import { cutSpans } from '../../transcoder/operations/silence/words/cut-spans.ts';
import { least } from './doubling/growth.ts';
import { clip, gap, range, timeline, track } from './operations/otio/otio-documents.ts';
import { means, source } from './operations/sources.ts';

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
});
