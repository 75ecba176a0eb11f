import type { Chain, Filter, Input, Render, Step } from '../../model/steps.ts';
import { audioFades, type Fades } from '../plan/filters.ts';
import type { Span } from '../plan/frames.ts';
import {
  exactly,
  floats,
  loweredWhile,
  MIX_RATE,
  mixSamples,
  renderSamples,
  summed,
} from '../plan/raw-audio.ts';
import { ducking, onlyWithin } from './ducking.ts';

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
  /** Of the output: where the voice speaks, in seconds. The background is lowered there only; null: wherever the voice is heard. */
  spoken: readonly Span[] | null;
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

function mixed({ voice, background, duckDb, spoken, channels, samples, fades }: Mix): Render {
  const seconds = samples / MIX_RATE;
  const format = floats(mixSamples(channels));
  const laid = ({ stream, filters, volumeDb }: Laid, index: number, to: string[]): Chain => ({
    from: [`${index}:${stream}`],
    filters: [
      ...filters,
      format,
      ...(volumeDb === 0 ? [] : [{ name: 'volume', options: { volume: `${volumeDb}dB` } }]),
      ...exactly(samples),
      ...(to.length > 1 ? [{ name: 'asplit' }] : []),
    ],
    to,
  });
  const end = [...audioFades(fades, seconds), format];
  const chains = background
    ? [
        laid(voice, 0, duckDb === null ? ['voice'] : ['voice', 'heard']),
        laid(background, 1, ['background']),
        ...(duckDb === null
          ? []
          : [
              { from: ['heard'], filters: [spoken ? onlyWithin(spoken) : { name: 'anull' }], to: ['key'] },
              ...loweredWhile({ sound: 'background', heard: 'key', to: 'ducked' }, ducking(duckDb), samples),
            ]),
        {
          from: ['voice', duckDb === null ? 'background' : 'ducked'],
          filters: [summed(2, 'first'), ...end],
          to: ['mix'],
        },
      ]
    : [laid(voice, 0, ['alone']), { from: ['alone'], filters: end, to: ['mix'] }];
  const inputs = [voice.input, ...(background ? [background.input] : [])];
  return renderSamples('mix.raw', { inputs, chains, from: 'mix', seconds });
}
