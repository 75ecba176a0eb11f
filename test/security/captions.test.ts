import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captionLimits } from '../../schema/media/caption-limits.ts';
import { fixture } from '../fixtures/make.ts';
import { sampled } from '../sampled.ts';
import { type Ending, serve } from './case.ts';
import { type Stand, startStand } from './stand.ts';

const { cues, cueCharacters, words, wordCharacters } = captionLimits;

const srt = (text: string) => `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`;
const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
const time = (second: number) => `${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)},000`;
const srtOf = (count: number, between: string, text = 'hello there') =>
  Array.from({ length: count }, (_, cue) => `${cue + 1}\n${time(cue)} --> ${time(cue + 1)}\n${text}`).join(
    between,
  );
const ass = (text: string, events = 1) =>
  `[Script Info]\nTitle: a\n[Events]\n${`Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,${text}\n`.repeat(events)}`;

const refused: Ending[] = ['validation_failed', 'captions_invalid'];
const either: Ending[] = ['completed', ...refused];

/** Texts that once took minutes or all memory, or are larger than what is allowed; with how they may end. */
const texts: Record<string, { text: string; ends: readonly Ending[] }> = {
  'openings of a tag': { text: srt('<'.repeat(60_000)), ends: refused },
  'openings of an override': { text: srt('{\\{\\'.repeat(15_000)), ends: refused },
  'openings of a drawing': { text: ass('{\\p1'.repeat(900)), ends: either },
  'many openings of a drawing': { text: ass('{\\p1'.repeat(40_000)), ends: refused },
  'captions without blank lines': { text: srtOf(4000, '\n'), ends: either },
  'captions of the largest number': { text: srtOf(cues, '\n\n', 'hi'), ends: either },
  'captions above the largest number': { text: srtOf(cues + 1, '\n\n', 'hi'), ends: refused },
  'one caption that is too long': { text: srt('word '.repeat(cueCharacters)), ends: refused },
  'a script of one word': { text: 'a'.repeat(60_000), ends: refused },
  'a word of the largest length': { text: srt('a'.repeat(wordCharacters)), ends: either },
  'more words than are allowed': { text: 'a '.repeat(words + 1), ends: refused },
  'captions of marks alone': { text: srtOf(2000, '\n\n', '…?!'.repeat(20)), ends: either },
  'captions of brackets in Thai': { text: srtOf(2000, '\n\n', '(ก)[ข]'.repeat(20)), ends: either },
  'marks that join one letter': { text: srt(`a${'\u0301'.repeat(4000)}`), ends: either },
  'a BOM and no line breaks': { text: `\ufeff${'00:00:00,000 --> '.repeat(4000)}`, ends: either },
  'openings of a WebVTT voice': {
    text: `WEBVTT\n\n00:00.000 --> 00:02.000\n${'<v '.repeat(20_000)}`,
    ends: either,
  },
};

/** A body of JSON is read up to 256 KiB. */
const INLINE_CHARACTERS = 100_000;

const video = readFileSync(fixture('plain.mp4'));
let stand: Stand;
beforeAll(async () => {
  stand = await startStand({}, 2);
}, 120_000);
afterAll(() => stand.close());

const serveBoth = (text: string): RequestListener => {
  const [picture, captions] = [serve(video), serve(Buffer.from(text))];
  return (request, response) => (request.url?.endsWith('/captions') ? captions : picture)(request, response);
};

describe('captions', () => {
  const rows = Object.entries(texts).map(([name, row]) => ({ name, ...row }));
  const attempt = (name: string, text: string, given: (url: string) => Record<string, unknown>) =>
    stand.attempt({
      name,
      answer: () => serveBoth(text),
      request: (url) => ({ operation: 'captions_auto', input: { video_url: url, ...given(url) } }),
      plan: 'boost',
      ends: [],
      within: 90,
    });

  test.each(rows.filter(({ text }) => text.length <= INLINE_CHARACTERS))(
    'in the request: $name',
    { timeout: 180_000 },
    async ({ name, text, ends }) => {
      const { ending, detail } = await attempt(`inline ${name}`, text, () => ({ captions: text }));
      expect(ends, detail).toContain(ending);
    },
  );

  test.each(sampled(rows, 2))('at a URL: $name', { timeout: 180_000 }, async ({ name, text, ends }) => {
    const { ending, detail } = await attempt(`at a URL ${name}`, text, (url) => ({
      captions_url: url.replace(/a$/, 'captions'),
    }));
    expect(ends, detail).toContain(ending);
  });

  test('stop nothing: the same transcoder does the next task and holds nothing', async () => {
    expect(await stand.goodTask()).toMatchObject({ ending: 'completed' });
    await expect.poll(() => stand.leftovers(), { timeout: 10_000 }).toEqual([]);
    expect(stand.transcoder.child.exitCode).toBeNull();
  });
});
