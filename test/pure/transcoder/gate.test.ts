import { describe, expect, it } from 'vitest';
import { limitNames, plans } from '../../../schema/api/plans.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import { admit, sourceGate } from '../../../transcoder/media/verify/source-limits.ts';
import type { AudioStream, StreamFacts } from '../../../transcoder/model/source/media-probe.ts';
import type { VideoStream } from '../../../transcoder/model/source/video-stream.ts';
import { like, source, stillLike } from '../operations/sources.ts';

const basic = taskLimits.parse(plans.basic);

function stream(video: Partial<VideoStream> | null, audio: Partial<AudioStream> | null = null): StreamFacts {
  return {
    ...{ index: 0, type: video ? 'video' : 'audio', codec: 'any', tag: null, profile: null, duration: null },
    ...{ startTime: null, kbps: null, language: null, title: null, default: false },
    video: video && ({ ...source.video, ...video } as VideoStream),
    audio: audio && ({ ...source.audio, ...audio } as AudioStream),
  };
}

const outcome = (streams: StreamFacts[], { duration }: { duration?: number | null } = {}): string => {
  try {
    const probe = duration === null ? stillLike({}) : like({}, duration === undefined ? {} : { duration });
    admit({ ...probe, streams }, basic);
    return 'admitted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const four = { width: 3840, height: 2160 };
const eight = { width: 7680, height: 4320 };

describe('the media gate of the basic plan', () => {
  it.each([
    [
      'half an hour of 4K with surround sound',
      [stream(four), stream(null, { channels: 8 })],
      { duration: 1800 },
      'admitted',
    ],
    ['a minute of 8K', [stream(eight)], { duration: 60 }, 'admitted'],
    ['half an hour of 8K', [stream(eight)], { duration: 1700 }, 'source_too_large'],
    [
      'half an hour of 8K behind a small stream',
      [stream({}), stream(eight)],
      { duration: 1700 },
      'source_too_large',
    ],
    [
      'a still of 12 000 × 9000',
      [stream({ width: 12_000, height: 9000 })],
      { duration: null },
      'source_too_large',
    ],
    ['31 minutes', [stream({})], { duration: 1860 }, 'source_too_long'],
    ['ten hours of 8K', [stream(eight)], { duration: 36_000 }, 'source_too_long'],
    ['256 channels', [stream(null, { channels: 256 })], {}, 'source_too_large'],
    ['17 streams', Array.from({ length: 17 }, () => stream({})), {}, 'source_too_large'],
    ['16 streams', Array.from({ length: 16 }, () => stream({})), {}, 'admitted'],
  ])('%s: %#', (_, streams, more, expected) => {
    expect(outcome(streams, more)).toBe(expected);
  });
});

type Gated = keyof typeof sourceGate;

/** A source of which a limit sees this much, and no other limit more than the basic plan allows. */
const sourcesOf: Record<Gated, (value: number) => { streams: StreamFacts[]; duration: number }> = {
  source_streams: (value) => ({ streams: Array.from({ length: value }, () => stream({})), duration: 60 }),
  source_channels: (value) => ({ streams: [stream(null, { channels: value })], duration: 60 }),
  source_pixels: (value) => ({ streams: [stream({ width: value, height: 1 })], duration: 60 }),
  source_seconds: (value) => ({ streams: [stream({})], duration: value }),
  source_pixel_seconds: (value) => ({
    streams: [stream({ width: Math.ceil(value / 1800), height: 1 })],
    duration: 1800,
  }),
};

describe('a limit that a probe can tell', () => {
  it.each(Object.keys(sourceGate) as Gated[])(
    '%s admits what reaches it and refuses what exceeds it',
    (limit) => {
      const at = (value: number) => {
        const { streams, duration } = sourcesOf[limit](value);
        return outcome(streams, { duration });
      };
      expect(at(basic[limit])).toBe('admitted');
      expect(at(basic[limit] + 1)).toBe(sourceGate[limit].code);
    },
  );

  it('is every limit of a source but its size, which counts as it is fetched', () => {
    const ofSources = limitNames.filter((name) => name.startsWith('source_'));
    expect([...Object.keys(sourceGate), 'source_bytes'].sort()).toEqual(ofSources.sort());
  });
});
