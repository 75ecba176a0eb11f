import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { Chain, Filter } from '../../model/steps.ts';
import type { AudioTarget } from '../plan/audio-target.ts';
import { audioSpan } from '../plan/filters.ts';
import type { Piece } from './segments.ts';

/** atempo blends samples up to this factor, and skips samples beyond it. */
const MOST_TEMPO = 2;

export interface SoundOf {
  probe: MediaProbe;
  stream: AudioStream;
  target: AudioTarget;
  /** Length of the ramps at joints, in milliseconds. */
  fadeMs: number;
  total: number;
}

/**
 * The sound of a few pieces, end to end, under the label `a`. Each piece gets exactly the samples between the rounded
 * start and the rounded end of its place in the output, to keep rounding errors from accumulating.
 */
export function pieceSound(sound: SoundOf, pieces: readonly Piece[]): Chain[] {
  const from = [`0:${sound.stream.index}`];
  const [only] = pieces;
  if (pieces.length === 1 && only) return [{ from, filters: soundFilters(sound, only), to: ['a'] }];
  const [first, last] = [pieces[0], pieces.at(-1)];
  const { origin } = sound.probe;
  const [start, end] = [origin + (first?.start ?? 0), origin + (last?.end ?? 0) + 1];
  const heads = pieces.map((_, index) => `s${index}`);
  const tails = pieces.map((_, index) => `p${index}`);
  return [
    {
      from,
      filters: [
        { name: 'atrim', options: { start: start.toFixed(6), end: end.toFixed(6) } },
        { name: 'asplit', options: { outputs: pieces.length } },
      ],
      to: heads,
    },
    ...pieces.map((piece, index) => ({
      from: [`s${index}`],
      filters: soundFilters(sound, piece),
      to: [`p${index}`],
    })),
    { from: tails, filters: [{ name: 'concat', options: { n: pieces.length, v: 0, a: 1 } }], to: ['a'] },
  ];
}

function soundFilters({ probe, target, fadeMs, total }: SoundOf, piece: Piece): Filter[] {
  const sampleAt = (out: number) => Math.round(out * target.sampleRate);
  const samples = sampleAt(piece.outEnd) - sampleAt(piece.out);
  const ramp = Math.min(Math.round((fadeMs / 1000) * target.sampleRate), Math.floor(samples / 2));
  const slack = 2 / target.sampleRate;
  const rises = piece.out > 0 && ramp > 0;
  const falls = piece.outEnd < total && ramp > 0;
  return [
    ...audioSpan(probe, { start: piece.start, end: piece.end + slack }),
    ...(piece.muted ? [{ name: 'volume', options: { volume: 0 } }] : []),
    ...tempos(piece.speed).map((tempo) => ({ name: 'atempo', options: { tempo: tempo.toFixed(9) } })),
    ...target.after,
    { name: 'apad', options: { whole_len: samples } },
    { name: 'atrim', options: { end_sample: samples } },
    ...(rises ? [{ name: 'afade', options: { type: 'in', start_sample: 0, nb_samples: ramp } }] : []),
    ...(falls
      ? [{ name: 'afade', options: { type: 'out', start_sample: samples - ramp, nb_samples: ramp } }]
      : []),
  ];
}

function tempos(speed: number): number[] {
  if (Math.abs(speed - 1) < 1e-9) return [];
  const stages = Math.max(1, Math.ceil(Math.log(speed) / Math.log(MOST_TEMPO) - 1e-9));
  return Array.from({ length: stages }, () => speed ** (1 / stages));
}
