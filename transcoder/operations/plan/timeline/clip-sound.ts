import { greatest } from '../../../model/numbers/min-max.ts';
import { asLoudIn } from '../../../model/source/sound-times.ts';
import type { Filter, Render, Step } from '../../../model/steps.ts';
import { type AudioTarget, silent } from '../audio-target.ts';
import { atRate, type Tempo } from '../compile/clip-sound.ts';
import { stretched } from '../compile/sound-parts.ts';
import { audioSpan } from '../filters.ts';
import { endOf, seekBefore } from '../frame-selection.ts';
import { exactly, floats, rawInput, renderSamples, summed } from '../raw-audio.ts';
import { type Gap, isClip, type SoundClip, type Timeline } from './timeline.ts';

/** A range of samples of the output. */
interface Piece {
  file: string;
  from: number;
  to: number;
}

/** How the sound of a track is made. */
interface Voice {
  target: AudioTarget;
  /** Whether sound fades during a transition; otherwise it is cut in the middle. */
  fading: boolean;
  /** How sound plays at a rate. */
  tempo: Tempo;
  /** Begins the names of its files. */
  name: string;
}

/**
 * Decodes each clip's sound once and splits it at the sample where its joints begin and end. Joints are mixed from two
 * such pieces, and everything is appended to `sound.raw`.
 */
export function voiceSteps({ rate, items, joints }: Timeline<SoundClip>, voice: Voice): Step[] {
  const { target, fading, name } = voice;
  const sampleAt = (frame: number) => Math.round((frame / rate.fps) * target.sampleRate);
  const parts: string[] = [];
  const steps: Step[] = [];
  for (const [index, item] of items.entries()) {
    const [before, after] = [joints[index - 1], joints[index]];
    const [head, tail] = [before?.frames ?? 0, after?.frames ?? 0];
    const [start, end] = [item.at, item.at + item.frames];
    const middle = `${name}middle${index}.raw`;
    const pieces = fading
      ? [
          { file: `${name}head${index}.raw`, from: sampleAt(start), to: sampleAt(start + head) },
          { file: middle, from: sampleAt(start + head), to: sampleAt(end - tail) },
          { file: `${name}tail${index}.raw`, from: sampleAt(end - tail), to: sampleAt(end) },
        ]
      : [{ file: middle, from: sampleAt(start + head / 2), to: sampleAt(end - tail / 2) }];
    const real = pieces.filter(({ from, to }) => to > from);
    if (real.length > 0) steps.push(...soundOfItem(item, rate.fps, voice, real));
    if (fading && before && head > 0) {
      const files = [`${name}tail${index - 1}.raw`, `${name}head${index}.raw`] as const;
      const file = `${name}joint${index - 1}.raw`;
      steps.push(crossfade(files, file, sampleAt(start + head) - sampleAt(start), target));
      parts.push(file);
    }
    parts.push(...real.map(({ file }) => file).filter((file) => file === middle));
  }
  return [...steps, { kind: 'append', file: `${name}sound.raw`, parts }];
}

/** Samples before they are split into pieces. */
interface Read extends Pick<Render, 'inputs' | 'lead'> {
  from: string[];
  filters: Filter[];
}

function soundOfItem(item: SoundClip | Gap, fps: number, voice: Voice, pieces: Piece[]): Step[] {
  const { target } = voice;
  const begin = Math.round((item.at / fps) * target.sampleRate);
  const samples = greatest(pieces.map(({ to }) => to)) - begin;
  const seconds = item.frames / fps;
  const { before, read } = readItem(item, seconds, voice, samples);
  const labels = pieces.map((_, index) => `piece${index}`);
  const gain = isClip(item) ? item.gainDb : 0;
  return [
    ...before,
    {
      kind: 'render',
      inputs: read.inputs,
      chains: [
        {
          from: read.from,
          filters: [
            ...read.filters,
            ...(gain === 0 ? [] : [{ name: 'volume', options: { volume: `${gain.toFixed(2)}dB` } }]),
            floats(target),
            ...exactly(samples),
            { name: 'asplit', options: { outputs: pieces.length } },
          ],
          to: labels,
        },
        ...pieces.map((piece, index) => ({
          from: [`piece${index}`],
          filters: [
            {
              name: 'atrim',
              options: { start_sample: piece.from - begin, end_sample: piece.to - begin },
            },
          ],
          to: [`cut${index}`],
        })),
      ],
      outputs: pieces.map((piece, index) => ({ file: piece.file, container: 'raw', from: `cut${index}` })),
      seconds,
      weight: seconds / 20,
      lead: read.lead,
    },
  ];
}

/** How the samples of an item are read, and the steps before that. */
function readItem(
  item: SoundClip | Gap,
  seconds: number,
  voice: Voice,
  samples: number,
): { before: Step[]; read: Read } {
  const { target, tempo } = voice;
  const audio = isClip(item) && item.rate > 0 ? item.probe.audio : null;
  if (!audio || !isClip(item)) {
    return { before: [], read: { inputs: [], from: [], filters: [silent(target)], lead: 0 } };
  }
  const { probe, zero, source, rate } = item;
  const seek = seekBefore(probe, zero);
  const start = zero - probe.origin;
  const span = { start, end: start + seconds * rate + 2 / target.sampleRate };
  const read: Read = {
    inputs: [{ source, seek, end: endOf(probe, span) }],
    from: [`0:${audio.index}`],
    filters: [...audioSpan(probe, span), ...asLoudIn(target.channels, audio)],
    lead: seek === null ? start : 1,
  };
  if (tempo !== 'stretch' || rate === 1) {
    return { before: [], read: { ...read, filters: [...read.filters, ...atRate(voice, rate)] } };
  }
  const natural = Math.max(1, Math.round(seconds * rate * target.sampleRate));
  const [from, file] = [`${voice.name}natural.raw`, `${voice.name}stretched.raw`];
  const { sampleRate, channels } = target;
  const filters = [...read.filters, floats(target), ...exactly(natural)];
  const whole = renderSamples(from, {
    ...{ inputs: read.inputs, chains: [{ from: read.from, filters, to: ['a'] }], from: 'a' },
    ...{ seconds, lead: read.lead },
  });
  return {
    before: [whole, stretched({ from, file, sampleRate, channels, samples }, natural, source)],
    read: { inputs: [rawInput(file, target)], from: ['0:0'], filters: [], lead: 0 },
  };
}

/** Equal-power crossfade from the end of one item to the start of the next. */
function crossfade(
  [tail, head]: readonly [tail: string, head: string],
  to: string,
  samples: number,
  target: AudioTarget,
): Render {
  const fade = (type: string): Filter => ({
    name: 'afade',
    options: { type, start_sample: 0, nb_samples: samples, curve: 'qsin' },
  });
  return renderSamples(to, {
    inputs: [rawInput(tail, target), rawInput(head, target)],
    chains: [
      { from: ['0:0'], filters: [fade('out')], to: ['a'] },
      { from: ['1:0'], filters: [fade('in')], to: ['b'] },
      { from: ['a', 'b'], filters: [summed(2, 'longest'), floats(target)], to: ['mix'] },
    ],
    ...{ from: 'mix', seconds: samples / target.sampleRate, weight: 0.1 },
  });
}
