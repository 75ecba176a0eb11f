import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { bytesToWrite } from '../../../transcoder/media/execute/disk-need.ts';
import type { Facts } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { timeline } from '../../../transcoder/operations/timeline/timeline.ts';
import { documents, mediaOf } from '../../media/timeline/documents.ts';
import { closed } from './plan-graph.ts';
import { linesOf, surveyOf } from './plan-lines.ts';
import { like, means, source } from './sources.ts';

const make = documents(30);
const { clip, gap, dissolve } = make;
const [A, B] = ['a.mp4', 'b.mp4'];

function planOf(
  otio: object,
  {
    request = {},
    probes = [source],
    facts = {},
  }: {
    request?: Record<string, unknown>;
    probes?: readonly MediaProbe[];
    facts?: Facts;
  } = {},
) {
  const media = mediaOf([A, B].slice(0, probes.length));
  const input = operations.timeline.input.parse({ otio, media, ...request });
  return closed(timeline.plan({ input, probes, facts, ...means }), { facts });
}

const surveyed = { survey: surveyOf(10) };
const both: Facts = { ...surveyed, sources: [surveyed, surveyed] };

/** The pictures of a plan: what is spliced, one line for each piece. */
const piecesOf = (plan: ReturnType<typeof planOf>) => {
  const lines = linesOf(plan.steps);
  return lines.slice(lines.findIndex((line) => line.startsWith('splice')));
};

describe('a document of one source', () => {
  const cut = [clip(A, 0, 60), clip(A, 150, 90)];

  test('is copied, and its sound is cut alike', () => {
    const plan = planOf(make.timeline(cut, cut), { facts: surveyed });
    expect(piecesOf(plan)).toEqual([
      'splice source 0, sound.m4a',
      'render 0 copy 60 render 0 at 0',
      'render 0 copy 90 render 0 at 30720',
    ]);
    expect(plan.data).toMatchObject({ copied_seconds: 5, rendered_seconds: 0 });
    expect(plan.time_map).toEqual([
      { source: 0, in: [0, 2], out: [0, 2] },
      { source: 0, in: [5, 8], out: [2, 5] },
    ]);
  });

  test('reads it through two inputs where its clips dissolve into each other', () => {
    const plan = planOf(make.timeline([clip(A, 0, 60), dissolve(5, 5), clip(A, 150, 90)]), {
      facts: both,
    });
    const drawn = plan.steps.flatMap((step) =>
      step.kind === 'splice' ? step.pieces.filter((piece) => piece.kind === 'drawn') : [],
    );
    expect(drawn).toHaveLength(1);
    for (const { feeds } of drawn) {
      const inputs = feeds.map(({ input }) => input);
      expect(new Set(inputs).size).toBe(2);
    }
  });

  test('whose clip has no range and is shorter than its transitions is refused', () => {
    const whole = { ...clip(B, 0, 60), source_range: undefined };
    const short = { ...like({ duration: 0.8, frames: 24 }), duration: 0.8 };
    const refused = (track: object[]) => () =>
      planOf(make.timeline(track), { probes: [source, short], facts: both });
    const named = /is shorter than its transitions: its media is 0\.8 s long\./;
    expect(refused([clip(A, 0, 60), dissolve(0, 50), whole])).toThrow(named);
    expect(refused([clip(A, 0, 60), dissolve(0, 15), whole, dissolve(15, 0), clip(A, 60, 60)])).toThrow(
      named,
    );
    expect(refused([clip(A, 0, 60), dissolve(0, 12), whole, dissolve(12, 0), clip(A, 60, 60)])).not.toThrow(
      named,
    );
  });

  test('has no sound without a track of it', () => {
    const plan = planOf(make.timeline(cut), { facts: surveyed });
    expect(plan.expect.media[0]?.audio).toBeNull();
  });

  test('is one piece where clips go on, also where only the sound is muted', () => {
    const clips = [clip(A, 0, 60), clip(A, 60, 30), clip(A, 90, 60)];
    const plan = planOf(make.timeline(clips, [clip(A, 0, 60), gap(30), clip(A, 90, 60)]), {
      facts: surveyed,
    });
    expect(piecesOf(plan)).toEqual(['splice source 0, sound.m4a', 'render 0 copy 150 render 0 at 0']);
    expect(plan.data).toMatchObject({ rendered_seconds: 0 });
  });

  test('counts from the first time of its media, in frames of any rate', () => {
    const seconds = documents(1);
    const shifted = JSON.parse(
      JSON.stringify(seconds.timeline([seconds.clip(A, 3605, 3)])).replace(
        '"target_url"',
        '"available_range":{"OTIO_SCHEMA":"TimeRange.1","start_time":{"value":3600,"rate":1},"duration":{"value":10,"rate":1}},"target_url"',
      ),
    );
    expect(planOf(shifted, { facts: surveyed }).time_map).toEqual([{ source: 0, in: [5, 8], out: [0, 3] }]);
  });

  test('has the rate of the document if its clips are no whole frames of the media', () => {
    const odd = documents(24);
    const plan = planOf(odd.timeline([odd.clip(A, 24, 25), odd.clip(A, 60, 23)]));
    expect(plan).toMatchObject({ fps: 24, duration: 2 });
  });

  test('has the length of its clips, also where whole frames of the media do not reach it', () => {
    const slow = make.timeline([clip(A, 0, 25, 0.5), clip(A, 150, 30)]);
    expect(planOf(slow, { facts: surveyed }).duration).toBeCloseTo(55 / 30, 6);
    const reached = planOf(make.timeline([clip(A, 0, 24, 0.5), clip(A, 150, 30)]), { facts: surveyed });
    expect(reached.duration).toBeCloseTo(54 / 30, 6);
    expect(reached.data).toMatchObject({ copied_seconds: 1 });
  });

  test('is not copied if the request changes it', () => {
    const plan = planOf(make.timeline(cut, cut), { facts: surveyed, request: { height: 360 } });
    expect(plan).toMatchObject({ width: 640, height: 360, data: { copied_seconds: 0 } });
  });
});

describe('a document of several sources', () => {
  const probes = [source, like({})];

  test('is copied but for its gaps, transitions and clips at another rate', () => {
    const otio = make.timeline([
      clip(A, 0, 60),
      dissolve(5, 5),
      clip(B, 30, 60),
      gap(10),
      clip(A, 60, 30, 2),
    ]);
    const plan = planOf(otio, { probes, facts: both });
    expect(piecesOf(plan)).toEqual([
      'splice source 0, source 1, body2.mp4, body3.mp4',
      'render 0 copy 55 render 0 at 0',
      'draw 10',
      'render 25 copy 30 render 0 at 33280',
      'file 10',
      'file 30',
    ]);
    const spans = plan.data.spans as { rendered_because: string | null }[];
    expect(spans.map((span) => span.rendered_because)).toEqual([
      null,
      'transition',
      'cut',
      null,
      'gap',
      'speed',
    ]);
    expect(plan.warnings).toEqual([]);
  });

  test('adds up tracks of sound, but hears equal ones once', () => {
    const track = [clip(A, 0, 60), gap(30)];
    const otio = make.timeline([clip(A, 0, 60), clip(B, 0, 30)], track, track, [gap(10), clip(B, 0, 40)]);
    const plan = planOf(otio, { probes, facts: both });
    const lines = linesOf(plan.steps);
    expect(lines.filter((line) => /^(append|add) /.test(line))).toEqual([
      'append middle0.raw middle1.raw',
      'append track1-middle0.raw track1-middle1.raw track1-middle2.raw',
      'add track1-sound.raw to sound.raw',
    ]);
    expect(plan.warnings).toMatchObject([{ code: 'stream_dropped' }]);
  });

  test('keeps three sounds of its whole length on the disk, however many tracks it has', () => {
    const seconds = 600;
    const pictures = [clip(A, 0, 60), clip(B, 0, 60), gap(30 * seconds - 120)];
    const tracks = Array.from({ length: 12 }, (_, index) => [
      gap(60 * index),
      clip(A, index, 60, index % 2 ? 1.5 : 1),
      dissolve(5, 5),
      clip(B, 20, 60),
      gap(30 * seconds - 120 - 60 * index),
    ]);
    const plan = planOf(make.timeline(pictures, ...tracks), { probes, facts: both });
    const sound = bytesToWrite({ ...plan, width: null, height: null }, 0, 0);
    expect(sound).toBeGreaterThan(2 * seconds * 384_000);
    expect(sound).toBeLessThan(3.1 * seconds * 384_000);
  });

  test('lasts as long as its longest track, in black', () => {
    const plan = planOf(make.timeline([clip(A, 0, 30), clip(B, 0, 30)], [clip(A, 0, 90)]), { probes });
    expect(plan.duration).toBe(3);
    expect(linesOf(plan.steps).join('\n')).toContain(
      'color=color=black:size=1280x720:rate=30/1,trim=end_frame=30',
    );
  });

  test('in seconds has the frame rate of its first clip, and may not go on after the end of its media', () => {
    const seconds = documents(1);
    const otio = seconds.timeline([seconds.clip(A, 0, 1.5), seconds.clip(B, 1, 2)]);
    const plan = planOf(otio, { probes });
    expect(plan.expect.media[0]?.video).toMatchObject({ frames: 105 });
    const { duration } = source;
    const long = seconds.timeline([seconds.clip(A, duration - 1, 1.5), seconds.clip(B, 1, 2)]);
    expect(() => planOf(long, { probes })).toThrow(/ends at .* s of its media, which is/);
  });

  test('names the source of a clip whose sound is too long to be stretched', () => {
    const long = { ...like({ duration: 20_000, frames: 600_000 }), duration: 20_000 };
    const audio = long.audio && { ...long.audio, duration: 20_000 };
    const otio = make.timeline(null, [clip(A, 0, 30), clip(B, 0, 500_000, 1.1)]);
    const plan = () => planOf(otio, { probes: [source, { ...long, audio }] });
    expect(plan).toThrow(expect.objectContaining({ code: 'output_too_large', sourceIndex: 1 }));
  });

  test('without a frame or a sample is refused', () => {
    const short = { code: 'clip_too_short', message: expect.stringContaining('The document lasts') };
    const failing = (otio: object, request = {}) => {
      try {
        planOf(otio, { request });
      } catch (error) {
        return error;
      }
      return null;
    };
    expect(failing(make.timeline([clip(A, 0, 0)]))).toMatchObject(short);
    expect(failing(make.timeline([clip(A, 0, 0.3)]), { fps: 25 })).toMatchObject(short);
    expect(failing(make.timeline(null, [clip(A, 0, 0)]))).toMatchObject(short);
  });
});
