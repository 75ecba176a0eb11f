import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { planOf } from './plan-lines.ts';
import { source } from './sources.ts';

describe('sound without a loudness', () => {
  const lasting = (duration: number): MediaProbe => ({
    ...source,
    audio: source.audio && { ...source.audio, duration },
  });
  const short = 'The sound is shorter than 0.4 s, too short to be measured, so';

  test.each([
    [0.39, undefined, short],
    // As a decoder drops the padding of an mp3.
    [0.42, 0.39, short],
    [0.42, undefined, 'The source is silent, so'],
    [10, 10, 'The source is silent, so'],
  ])('of %s s, of which %s s are decoded, is refused as: %s', (duration, heard, why) => {
    for (const request of [{ audio_only: true }, {}]) {
      const facts = { loudness: null, ...(heard === undefined ? {} : { heard }) };
      const plan = () => planOf('transcode', { ...request, normalize_lufs: -16 }, lasting(duration), facts);
      expect(plan).toThrow(why);
    }
  });
});

test.each([
  ['codec', 'hevc'],
  ['quality', 'low'],
  ['deinterlace', 'always'],
  ['tracks', 'first'],
])('audio alone is the same with any %s, as its description says', (field, value) => {
  const { input } = operations.transcode;
  const given = planOf('transcode', { audio_only: true, [field]: value });
  expect(given).toEqual(planOf('transcode', { audio_only: true }));
  expect(input.shape.audio_only.meta()?.description).toContain(`\`${field}\``);
});
