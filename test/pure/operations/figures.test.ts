import { describe, expect, it } from 'vitest';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { Facts, Plan } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { Packets } from '../../../transcoder/model/source/packets.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { withFallback } from '../../../transcoder/operations/plan/changed-plan.ts';
import { type MediaRun, planMedia } from '../../../transcoder/operations/plan/output.ts';
import { like, means, source } from './sources.ts';

const copy = { codec: 'h264', packets: null };
const url = 'https://media.example.com/a';

function planOf(name: OperationName, request: object, probes: MediaProbe[], facts: Facts = {}): Plan {
  const input = operations[name].input.parse(request) as Record<string, unknown>;
  return plannerOf(name).plan({ input, probes, facts, ...means });
}

describe('the figures of a result', () => {
  it('carry no noise of binary fractions, in the plan behind it neither', () => {
    const audio = { ...source.audio, startTime: 0.1, duration: 0.2 } as MediaProbe['audio'];
    const plan = planOf('transcode', { video_url: url, audio_only: true }, [{ ...source, audio }]);
    expect(plan.duration).toBe(0.3);
    expect(plan.time_map).toEqual([{ source: 0, in: [0, 0.3], out: [0, 0.3] }]);
    const run: MediaRun = {
      ...{ container: 'mp4', inputs: [], chains: [], sound: null, duration: 0.1 + 0.2 },
      picture: { from: 'v', encode: { copy }, codec: 'h264', width: 320, height: 180, frames: 9 },
    };
    const shows = [{ start: 0.1 + 0.2, end: 0.1 + 0.7, out: 0, outEnd: 0.1 + 0.2 }];
    const noisy = planMedia([], run, { fps: 30_000 / 1001, shows, copied: 0.1 + 0.1 + 0.1 });
    const figures = {
      ...{ duration: 0.3, fps: 29.97, data: { copied_seconds: 0.3, rendered_seconds: 0 } },
      time_map: [{ source: 0, in: [0.3, 0.8], out: [0, 0.3] }],
    };
    expect(withFallback(noisy, [], {})).toMatchObject({ ...figures, otherwise: figures });
  });

  it('are frames a second to the thousandth, whichever operation tells them', () => {
    const visualized = { audio_url: url, fps: 29.97 };
    const fps = [
      planOf('visualize', visualized, [source], { loudness: null }).fps,
      planOf('merge_urls', { urls: [url, url], fps: 29.97 }, [source, source]).fps,
      planOf('transcode', { video_url: url, fps: 29.97 }, [source]).fps,
    ];
    expect(fps).toEqual([29.97, 29.97, 29.97]);
  });

  it('count frames at the rate that is encoded, which 23.98 is short for', () => {
    const video = source.video && { ...source.video, duration: 3600 };
    const plan = planOf('transcode', { video_url: url, fps: 23.98 }, [{ ...source, video, duration: 3600 }]);
    expect(JSON.stringify(plan.steps)).toContain(`"end_frame":${Math.round((3600 * 24_000) / 1001)}`);
    expect(plan.fps).toBe(23.976);
  });

  it('are those of the picture where groups of pictures are measured, however long the sound is', () => {
    const packets = Array.from({ length: 180 }, (_, index) => ({
      ...{ pts: index / 30, dts: index / 30, duration: 1 / 30 },
      key: index % 60 === 0,
    }));
    const longer = { ...like({}), duration: 6.016 };
    for (const listed of [packets, packets.map((packet) => ({ ...packet, duration: null }))]) {
      const { data } = planOf('probe', { url }, [longer], { packets: Packets.of(listed) });
      expect(data.keyframe_interval).toEqual({ mean: 2, max: 2, count: 3 });
    }
  });
});

describe('sound that is stretched', () => {
  it.each([
    [4 * 3600, 1.25, 2],
    [2 * 3600, 0.5, 2],
    [3 * 3600, 1.1, 6],
  ])(
    'is divided where %i s at %d would be more than 4 GB at once, of %i channels',
    (seconds, rate, channels) => {
      const audio = source.audio && {
        ...source.audio,
        duration: seconds,
        channels,
        layout: channels > 2 ? '5.1' : 'stereo',
      };
      const plan = planOf('speed', { audio_url: url, rate }, [
        { ...source, audio, duration: seconds, video: null, streams: [] },
      ]);
      const stretches = plan.steps.filter((step) => step.kind === 'stretch');
      const samples = stretches.reduce((sum, step) => sum + step.samples, 0);
      expect(stretches.length).toBeGreaterThan(1);
      expect(Math.abs(samples - (seconds / rate) * 48_000)).toBeLessThan(10);
      expect(plan.duration).toBeCloseTo(seconds / rate, 3);
    },
  );
});
