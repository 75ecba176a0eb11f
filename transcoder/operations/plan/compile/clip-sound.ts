import { nearestFraction } from '../../../model/numbers/nearest-fraction.ts';
import type { AudioStream, MediaProbe } from '../../../model/source/media-probe.ts';
import type { Chain, Filter } from '../../../model/steps.ts';
import { type AudioTarget, silent } from '../audio-target.ts';
import { audioSpan, openAudioSpan } from '../filters.ts';
import { exactly } from '../raw-audio.ts';
import type { Clip } from './clips.ts';

/**
 * How sound is played at a rate. `blend` keeps the pitch in one run of ffmpeg, but moves a click by up to 25 ms at a rate of
 * 0.5 and loses some beyond 2: enough for silences, which are many. `stretch` keeps the pitch and its attacks, in a step of
 * its own. `resample` lets the pitch follow the rate and is exact to the sample.
 */
export type Tempo = 'blend' | 'stretch' | 'resample';

/** atempo blends samples up to this factor, and skips samples beyond it. */
const MOST_TEMPO = 2;
/** Largest numbers of a ratio that swresample converts exactly: it counts in 1024ths, in 30 bits. */
const MOST_RATIO = 500_000;
/** Lowest sample rate to name to the filters; only the ratio of the rates counts. */
const LEAST_RATE = 8000;

export interface SoundOf {
  probe: MediaProbe;
  stream: AudioStream;
  target: AudioTarget;
  /** Length of the ramps at joints, in milliseconds. */
  fadeMs: number;
  total: number;
  tempo: Tempo;
  /** Whether the last clip ends where its sound does, instead of in silence. */
  open: boolean;
  /** Whether the output has no picture. */
  alone?: boolean;
}

/** Whether the sound of a clip is stretched by a step after the one that reads it. */
export const isStretched = ({ tempo }: Pick<SoundOf, 'tempo'>, { rate }: Clip): boolean =>
  tempo === 'stretch' && Math.abs(rate - 1) >= SAME;

/** Rates this close to 1 are 1: an hour differs by less than a sample. */
const SAME = 1e-9;

/** Samples of a clip in the output. */
export function samplesOf({ target }: SoundOf, { out, outEnd }: Clip): number {
  const sampleAt = (time: number) => Math.round(time * target.sampleRate);
  return sampleAt(outEnd) - sampleAt(out);
}

/**
 * The sound of a few clips, end to end, under the label `a`. Each clip gets exactly the samples between the rounded
 * start and the rounded end of its place in the output, to keep rounding errors from accumulating.
 */
export function clipSound(sound: SoundOf, clips: readonly Clip[]): Chain[] {
  const from = [`0:${sound.stream.index}`];
  const [only] = clips;
  if (clips.length === 1 && only) {
    if (!isHeard(sound, only)) return [{ from: [], filters: silence(sound, only), to: ['a'] }];
    return [{ from, filters: soundFilters(sound, only), to: ['a'] }];
  }
  const heard = clips.filter((clip) => isHeard(sound, clip));
  const [first, last] = [heard[0], heard.at(-1)];
  const { origin } = sound.probe;
  const [start, end] = [origin + (first?.start ?? 0), origin + (last?.end ?? 0) + 1];
  const labels = clips.map((clip, index) => ({ clip, head: `s${index}`, tail: `p${index}` }));
  const heads = labels.flatMap(({ clip, head }) => (isHeard(sound, clip) ? [head] : []));
  const tails = labels.map(({ tail }) => tail);
  const split: Chain = {
    from,
    filters: [
      { name: 'atrim', options: { start: start.toFixed(6), end: end.toFixed(6) } },
      { name: 'asplit', options: { outputs: heads.length } },
    ],
    to: heads,
  };
  return [
    ...(heads.length > 0 ? [split] : []),
    ...labels.map(({ clip, head, tail }) =>
      isHeard(sound, clip)
        ? { from: [head], filters: soundFilters(sound, clip), to: [tail] }
        : { from: [], filters: silence(sound, clip), to: [tail] },
    ),
    { from: tails, filters: [{ name: 'concat', options: { n: clips.length, v: 0, a: 1 } }], to: ['a'] },
  ];
}

/** Sound alone lasts as long as its range, though that ends in a gap. */
export const openSpan = ({ probe, alone }: SoundOf, clip: Clip): Filter[] =>
  alone ? openAudioSpan(probe, clip) : audioSpan(probe, clip);

const isOpen = ({ open, total }: SoundOf, { outEnd }: Clip) => open && outEnd === total;

/** Whether the source states sound in a clip, or what it has is padded. */
function isHeard({ probe, stream, open }: SoundOf, { start, end }: Clip): boolean {
  const from = stream.startTime - probe.origin;
  return open || (start < from + stream.duration && end > from);
}

/** As many samples as a clip has. */
function silence(sound: SoundOf, clip: Clip): Filter[] {
  const { target } = sound;
  const samples = isStretched(sound, clip) ? stretchedSamples(sound, clip) : samplesOf(sound, clip);
  return [silent(target), ...target.after, { name: 'atrim', options: { end_sample: samples } }];
}

/** Samples of a clip before it is stretched. */
const stretchedSamples = ({ target }: SoundOf, { start, end }: Clip): number =>
  Math.max(1, Math.round((end - start) * target.sampleRate));

/** A tone of 1 kHz at -18 dBFS in place of the sound. */
const bleep: Filter = { name: 'aeval', options: { exprs: '0.126*sin(2000*PI*t)', channel_layout: 'same' } };

function soundFilters(sound: SoundOf, clip: Clip): Filter[] {
  const { probe, target, fadeMs, total } = sound;
  if (isOpen(sound, clip)) return [...openSpan(sound, clip), ...target.after];
  const stretched = isStretched(sound, clip);
  const samples = stretched ? stretchedSamples(sound, clip) : samplesOf(sound, clip);
  const ramped = (fadeMs / 1000) * target.sampleRate * (stretched ? clip.rate : 1);
  const ramp = Math.min(Math.round(ramped), Math.floor(samples / 2));
  const slack = 2 / target.sampleRate;
  const paced = stretched ? [] : atRate(sound, clip.rate);
  const rises = clip.out > 0 && ramp > 0;
  const falls = clip.outEnd < total && ramp > 0;
  return [
    ...audioSpan(probe, { start: clip.start, end: clip.end + slack }),
    ...(clip.muted ? [clip.bleeped ? bleep : { name: 'volume', options: { volume: 0 } }] : []),
    ...paced,
    ...target.after,
    ...exactly(samples),
    ...(rises ? [{ name: 'afade', options: { type: 'in', start_sample: 0, nb_samples: ramp } }] : []),
    ...(falls
      ? [{ name: 'afade', options: { type: 'out', start_sample: samples - ramp, nb_samples: ramp } }]
      : []),
  ];
}

/** Filters that play sound at a rate, without a step of their own. */
export function atRate({ target, tempo }: Pick<SoundOf, 'target' | 'tempo'>, rate: number): Filter[] {
  if (Math.abs(rate - 1) < SAME) return [];
  if (tempo === 'resample') {
    const { num, den } = nearestFraction(rate, MOST_RATIO);
    const scale = Math.ceil(LEAST_RATE / Math.min(num, den));
    // `asetrate` takes no sound whose channels have no layout, as in Speex.
    const known = { sample_rates: target.sampleRate, channel_layouts: target.layout };
    return [
      { name: 'aformat', options: known },
      { name: 'asetrate', options: { r: num * scale } },
      { name: 'aresample', options: { osr: den * scale } },
      { name: 'asetrate', options: { r: target.sampleRate } },
    ];
  }
  const stages = Math.max(1, Math.ceil(Math.log(rate) / Math.log(MOST_TEMPO) - 1e-9));
  return Array.from({ length: stages }, () => ({
    name: 'atempo',
    options: { tempo: (rate ** (1 / stages)).toFixed(9) },
  }));
}
