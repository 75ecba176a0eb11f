import type { Chain, Filter, Input, Render, Step } from '../../model/steps.ts';
import { audioFades, type Fades } from '../plan/filters.ts';
import { exactly, floats, MIX_RATE } from '../plan/raw-audio.ts';

/** A sound to mix, aligned with the start of the output. */
export interface Laid {
  input: Input;
  /** Stream index in the input. */
  stream: number;
  /** Filters that move it to its place. */
  filters: Filter[];
  volumeDb: number;
}

export interface Mix {
  voice: Laid;
  background: Laid | null;
  /** Most decibels by which the background is lowered under the voice; null for no ducking. */
  duckDb: number | null;
  channels: number;
  /** Of the output. */
  samples: number;
  fades: Fades;
  lufs: number | null;
}

/** Steps that write `dubbed.raw` (32-bit floats): the voice over its background, at the requested loudness. */
export function mixSteps(mix: Mix): Step[] {
  const { samples, channels, lufs } = mix;
  const level = { from: 'mix.raw', file: 'dubbed.raw', sampleRate: MIX_RATE };
  return [mixed(mix), { kind: 'level', ...level, channels, samples, lufs }];
}

function mixed({ voice, background, duckDb, channels, samples, fades }: Mix): Render {
  const seconds = samples / MIX_RATE;
  const laid = ({ stream, filters, volumeDb }: Laid, index: number, to: string[]): Chain => ({
    from: [`${index}:${stream}`],
    filters: [
      ...filters,
      floats(channels),
      ...(volumeDb === 0 ? [] : [{ name: 'volume', options: { volume: `${volumeDb}dB` } }]),
      ...exactly(samples),
      ...(to.length > 1 ? [{ name: 'asplit' }] : []),
    ],
    to,
  });
  const end = [...audioFades(fades, seconds), floats(channels)];
  const chains = background
    ? [
        laid(voice, 0, duckDb === null ? ['voice'] : ['voice', 'key']),
        laid(background, 1, ['background']),
        ...(duckDb === null
          ? []
          : [{ from: ['background', 'key'], filters: [ducking(duckDb)], to: ['ducked'] }]),
        {
          from: ['voice', duckDb === null ? 'background' : 'ducked'],
          filters: [
            { name: 'amix', options: { inputs: 2, duration: 'first', dropout_transition: 0, normalize: 0 } },
            ...end,
          ],
          to: ['mix'],
        },
      ]
    : [laid(voice, 0, ['alone']), { from: ['alone'], filters: end, to: ['mix'] }];
  return {
    kind: 'render',
    inputs: [voice.input, ...(background ? [background.input] : [])],
    chains,
    outputs: [{ file: 'mix.raw', container: 'raw', from: 'mix' }],
    seconds,
    weight: seconds / 20,
    lead: 0,
  };
}

/**
 * Mixes maximum compression with the uncompressed signal: under the loudest voice, only the uncompressed share remains.
 */
function ducking(db: number): Filter {
  return {
    name: 'sidechaincompress',
    options: {
      ...{ threshold: 0.02, ratio: 20, attack: 20, release: 350, level_sc: 8 },
      mix: Number((1 - 10 ** (-db / 20)).toFixed(4)),
    },
  };
}
