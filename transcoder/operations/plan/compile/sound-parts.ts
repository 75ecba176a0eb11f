import type { AudioStream, MediaProbe } from '../../../model/media-probe.ts';
import type { ExpectedMedia, PlannedFile, PlanRequest } from '../../../model/plan.ts';
import type { Render, Step } from '../../../model/steps.ts';
import { seekBefore } from '../frame-selection.ts';
import type { Delivered } from '../splice-compatibility.ts';
import { clipSound, type SoundOf } from './clip-sound.ts';
import { type Clip, runsOfClips, totalOf } from './clips.ts';

/** A request that is compiled from clips. */
export type ClipsRequest = PlanRequest<Delivered>;

/** Steps and expectations for a media file made of these clips. */
export interface Made {
  steps: Step[];
  file: PlannedFile;
  expect: ExpectedMedia;
  width: number | null;
  height: number | null;
  fps: number | null;
  copied: number;
}

export interface Work {
  request: ClipsRequest;
  probe: MediaProbe;
  stream: AudioStream;
  clips: readonly Clip[];
  /** Length of the ramps at joints of the sound, in milliseconds. */
  fadeMs: number;
}

export const partSound = (index: number) => `part${index}.raw`;

export function soundWork({ probe, stream, clips, fadeMs }: Work, target: SoundOf['target']): SoundOf {
  return { probe, stream, target, fadeMs, total: totalOf(clips) };
}

export function soundSteps(sound: SoundOf, clips: readonly Clip[]): Step[] {
  const runs = runsOfClips(clips);
  return [
    ...runs.map(
      (run, index): Render => ({
        ...reader(sound.probe, run),
        chains: clipSound(sound, run),
        outputs: [{ file: partSound(index), container: 'raw', from: 'a' }],
      }),
    ),
    joinedSound(runs.length),
  ];
}

export function joinedSound(count: number): Step {
  return {
    kind: 'append',
    file: 'sound.raw',
    parts: Array.from({ length: count }, (_, at) => partSound(at)),
  };
}

export function rawInput({ target }: SoundOf) {
  return { raw: 'sound.raw', sampleRate: target.sampleRate, channels: target.channels };
}

export function reader(probe: MediaProbe, run: readonly [Clip, ...Clip[]]) {
  const [first] = run;
  const last = run.at(-1) ?? first;
  const seek = seekBefore(probe, probe.origin + Math.min(first.start, first.frames?.from ?? first.start));
  return {
    kind: 'render' as const,
    inputs: [{ source: 0, seek }],
    seconds: last.outEnd - first.out,
    lead: seek === null ? first.start : 1,
  };
}
