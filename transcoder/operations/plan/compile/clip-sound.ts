import type { AudioStream, MediaProbe } from '../../../model/media-probe.ts';
import type { Chain, Filter } from '../../../model/steps.ts';
import type { AudioTarget } from '../audio-target.ts';
import { audioSpan } from '../filters.ts';
import type { Clip } from './clips.ts';

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
 * The sound of a few clips, end to end, under the label `a`. Each clip gets exactly the samples between the rounded
 * start and the rounded end of its place in the output, to keep rounding errors from accumulating.
 */
export function clipSound(sound: SoundOf, clips: readonly Clip[]): Chain[] {
  const from = [`0:${sound.stream.index}`];
  const [only] = clips;
  if (clips.length === 1 && only) return [{ from, filters: soundFilters(sound, only), to: ['a'] }];
  const [first, last] = [clips[0], clips.at(-1)];
  const { origin } = sound.probe;
  const [start, end] = [origin + (first?.start ?? 0), origin + (last?.end ?? 0) + 1];
  const heads = clips.map((_, index) => `s${index}`);
  const tails = clips.map((_, index) => `p${index}`);
  return [
    {
      from,
      filters: [
        { name: 'atrim', options: { start: start.toFixed(6), end: end.toFixed(6) } },
        { name: 'asplit', options: { outputs: clips.length } },
      ],
      to: heads,
    },
    ...clips.map((clip, index) => ({
      from: [`s${index}`],
      filters: soundFilters(sound, clip),
      to: [`p${index}`],
    })),
    { from: tails, filters: [{ name: 'concat', options: { n: clips.length, v: 0, a: 1 } }], to: ['a'] },
  ];
}

function soundFilters({ probe, target, fadeMs, total }: SoundOf, clip: Clip): Filter[] {
  const sampleAt = (out: number) => Math.round(out * target.sampleRate);
  const samples = sampleAt(clip.outEnd) - sampleAt(clip.out);
  const ramp = Math.min(Math.round((fadeMs / 1000) * target.sampleRate), Math.floor(samples / 2));
  const slack = 2 / target.sampleRate;
  const rises = clip.out > 0 && ramp > 0;
  const falls = clip.outEnd < total && ramp > 0;
  return [
    ...audioSpan(probe, { start: clip.start, end: clip.end + slack }),
    ...(clip.muted ? [{ name: 'volume', options: { volume: 0 } }] : []),
    ...tempos(clip.rate).map((tempo) => ({ name: 'atempo', options: { tempo: tempo.toFixed(9) } })),
    ...target.after,
    { name: 'apad', options: { whole_len: samples } },
    { name: 'atrim', options: { end_sample: samples } },
    ...(rises ? [{ name: 'afade', options: { type: 'in', start_sample: 0, nb_samples: ramp } }] : []),
    ...(falls
      ? [{ name: 'afade', options: { type: 'out', start_sample: samples - ramp, nb_samples: ramp } }]
      : []),
  ];
}

function tempos(rate: number): number[] {
  if (Math.abs(rate - 1) < 1e-9) return [];
  const stages = Math.max(1, Math.ceil(Math.log(rate) / Math.log(MOST_TEMPO) - 1e-9));
  return Array.from({ length: stages }, () => rate ** (1 / stages));
}
