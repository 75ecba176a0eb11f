import { describe, expect, it } from 'vitest';
import { plans } from '../../schema/api/plans.ts';
import { taskLimits } from '../../schema/task/wire.ts';
import { admit } from '../../transcoder/media/verify/source-limits.ts';
import type { AudioStream, StreamFacts } from '../../transcoder/model/media-probe.ts';
import type { VideoStream } from '../../transcoder/model/video-stream.ts';
import { like, source, stillLike } from './sources.ts';

const basic = taskLimits.parse(plans.basic);

function stream(video: Partial<VideoStream> | null, audio: Partial<AudioStream> | null = null): StreamFacts {
  return {
    ...{ index: 0, type: video ? 'video' : 'audio', codec: 'any', profile: null, duration: null },
    ...{ startTime: null, kbps: null, language: null, default: false },
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
