import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { ExpectedMedia, PlannedFile, PlanRequest } from '../../model/plan.ts';
import type { Render, Step } from '../../model/steps.ts';
import { seekBefore } from '../plan/frame-selection.ts';
import { pieceSound, type SoundOf } from './audio-filters.ts';
import type { SilenceInput } from './detect.ts';
import { type Piece, runsOfPieces, totalOf } from './segments.ts';

export type SilenceRequest = PlanRequest<SilenceInput>;

/** Steps and expectations for a media file made of these pieces. */
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
  request: SilenceRequest;
  probe: MediaProbe;
  stream: AudioStream;
  pieces: readonly Piece[];
}

export const partSound = (index: number) => `part${index}.raw`;

export function soundWork({ request, probe, stream, pieces }: Work, target: SoundOf['target']): SoundOf {
  return { probe, stream, target, fadeMs: request.input.audio_fade_ms, total: totalOf(pieces) };
}

export function soundSteps(sound: SoundOf, pieces: readonly Piece[]): Step[] {
  const runs = runsOfPieces(pieces);
  return [
    ...runs.map(
      (run, index): Render => ({
        ...reader(sound.probe, run),
        chains: pieceSound(sound, run),
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

export function reader(probe: MediaProbe, run: readonly [Piece, ...Piece[]]) {
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
