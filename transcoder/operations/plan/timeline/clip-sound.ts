import { greatest } from '../../../model/min-max.ts';
import type { Chain, Filter, Render, Step } from '../../../model/steps.ts';
import { type AudioTarget, layoutName } from '../audio-target.ts';
import { audioSpan } from '../filters.ts';
import { seekBefore } from '../frame-selection.ts';
import type { Clip, Timeline } from './timeline.ts';

/** A range of samples of the output. */
interface Piece {
  file: string;
  from: number;
  to: number;
}

/**
 * Decodes each clip's sound once and splits it at the sample where its joints begin and end. Joints are mixed from two
 * such pieces, and everything is appended.
 * @param fading Whether sound fades during a transition; otherwise it is cut in the middle.
 */
export function voiceSteps(timeline: Timeline, target: AudioTarget, fading: boolean): Step[] {
  const { rate, clips, joints } = timeline;
  const sampleAt = (frame: number) => Math.round((frame / rate.fps) * target.sampleRate);
  const parts: string[] = [];
  const steps: Step[] = [];
  for (const [index, clip] of clips.entries()) {
    const [before, after] = [joints[index - 1], joints[index]];
    const [head, tail] = [before?.frames ?? 0, after?.frames ?? 0];
    const [start, end] = [clip.at, clip.at + clip.frames];
    const pieces = fading
      ? [
          { file: `head${index}.raw`, from: sampleAt(start), to: sampleAt(start + head) },
          { file: `middle${index}.raw`, from: sampleAt(start + head), to: sampleAt(end - tail) },
          { file: `tail${index}.raw`, from: sampleAt(end - tail), to: sampleAt(end) },
        ]
      : [{ file: `middle${index}.raw`, from: sampleAt(start + head / 2), to: sampleAt(end - tail / 2) }];
    const real = pieces.filter(({ from, to }) => to > from);
    steps.push(clipSound(timeline, clip, target, real));
    if (fading && before && head > 0) {
      steps.push(crossfade(index - 1, sampleAt(start + head) - sampleAt(start), target));
      parts.push(`joint${index - 1}.raw`);
    }
    parts.push(...real.map(({ file }) => file).filter((file) => file.startsWith('middle')));
  }
  return [...steps, { kind: 'append', file: 'sound.raw', parts }];
}

export const formatFilter = (target: AudioTarget): Filter => ({
  name: 'aformat',
  options: {
    sample_fmts: 'flt',
    sample_rates: target.sampleRate,
    channel_layouts: layoutName(target.channels),
  },
});

function clipSound({ rate }: Timeline, clip: Clip, target: AudioTarget, pieces: Piece[]): Render {
  const { probe, zero, source, at, frames } = clip;
  const begin = Math.round((at / rate.fps) * target.sampleRate);
  const samples = greatest(pieces.map(({ to }) => to)) - begin;
  const seconds = frames / rate.fps;
  const span = { start: zero - probe.origin, end: zero - probe.origin + seconds + 2 / target.sampleRate };
  const gain = clip.gainDb;
  const from: Pick<Chain, 'from' | 'filters'> = probe.audio
    ? { from: [`0:${probe.audio.index}`], filters: audioSpan(probe, span) }
    : {
        from: [],
        filters: [
          {
            name: 'anullsrc',
            options: { channel_layout: layoutName(target.channels), sample_rate: target.sampleRate },
          },
        ],
      };
  const labels = pieces.map((_, index) => `piece${index}`);
  return {
    kind: 'render',
    inputs: probe.audio ? [{ source, seek: seekBefore(probe, zero) }] : [],
    chains: [
      {
        from: from.from,
        filters: [
          ...from.filters,
          ...(gain === 0 ? [] : [{ name: 'volume', options: { volume: `${gain.toFixed(2)}dB` } }]),
          formatFilter(target),
          { name: 'apad', options: { whole_len: samples } },
          { name: 'atrim', options: { end_sample: samples } },
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
    lead: seekBefore(probe, zero) === null ? zero - probe.origin : 1,
  };
}

/** Equal-power crossfade from the end of one clip to the start of the next. */
function crossfade(joint: number, samples: number, target: AudioTarget): Render {
  const raw = (file: string) => ({ raw: file, sampleRate: target.sampleRate, channels: target.channels });
  const fade = (type: string): Filter => ({
    name: 'afade',
    options: { type, start_sample: 0, nb_samples: samples, curve: 'qsin' },
  });
  return {
    kind: 'render',
    inputs: [raw(`tail${joint}.raw`), raw(`head${joint + 1}.raw`)],
    chains: [
      { from: ['0:0'], filters: [fade('out')], to: ['a'] },
      { from: ['1:0'], filters: [fade('in')], to: ['b'] },
      { from: ['a', 'b'], filters: [mixed('longest'), formatFilter(target)], to: ['mix'] },
    ],
    outputs: [{ file: `joint${joint}.raw`, container: 'raw', from: 'mix' }],
    seconds: samples / target.sampleRate,
    weight: 0.1,
    lead: 0,
  };
}

export const mixed = (duration: string): Filter => ({
  name: 'amix',
  options: { inputs: 2, duration, dropout_transition: 0, normalize: 0 },
});
