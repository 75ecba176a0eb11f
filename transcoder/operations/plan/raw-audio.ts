import type { ChannelLayout } from '../../model/channel-layouts.ts';
import { decimal } from '../../model/numbers/decimal.ts';
import type { Chain, Filter, Input, Render } from '../../model/steps.ts';

/** Sample rate of all mixing. */
export const MIX_RATE = 48_000;

/** How samples lie in a file: 32-bit floats without a header. */
export interface Samples {
  sampleRate: number;
  layout: ChannelLayout;
}

/** Of what is mixed: voices and stems, which have one or two channels. */
export const mixSamples = (channels: number): Samples => ({
  sampleRate: MIX_RATE,
  layout: channels === 1 ? 'mono' : 'stereo',
});

export const floats = ({ sampleRate, layout }: Samples): Filter => ({
  name: 'aformat',
  options: { sample_fmts: 'flt', sample_rates: sampleRate, channel_layouts: layout },
});

/** Pads with silence or trims to exactly `samples` samples. Padding of a stretch without any sound has no times of its own, which `concat` needs. */
export const exactly = (samples: number): Filter[] => [
  { name: 'apad', options: { whole_len: samples } },
  { name: 'asetpts', options: { expr: 'N' } },
  { name: 'atrim', options: { end_sample: samples } },
];

/** Pads with silence up to a second. */
export const padded = (until: number): Filter[] => [
  { name: 'apad', options: { whole_dur: decimal(until) } },
  { name: 'asetpts', options: { expr: 'N/SR/TB' } },
];

export const rawInput = (raw: string, { sampleRate, layout }: Samples): Input => ({
  ...{ raw, sampleRate, layout },
});

interface Written extends Pick<Render, 'inputs' | 'chains'>, Partial<Pick<Render, 'weight' | 'lead'>> {
  /** What the chains make. */
  from: string;
  seconds: number;
}

/** A run of ffmpeg that writes samples. */
export const renderSamples = (
  file: string,
  { inputs, chains, from, seconds, weight = seconds / 20, lead = 0 }: Written,
): Render => ({
  ...{ kind: 'render', inputs, chains },
  outputs: [{ file, container: 'raw', from }],
  ...{ seconds, weight, lead },
});

/** Adds sounds up. */
export const summed = (inputs: number, duration: 'first' | 'longest'): Filter => ({
  name: 'amix',
  options: { inputs, duration, dropout_transition: 0, normalize: 0 },
});

/**
 * Lowers a sound while another is heard. `sidechaincompress` ends as soon as one of its inputs does, and drops what it still
 * holds of the other, which can be seconds: here neither ends, and what comes out is cut.
 */
export const loweredWhile = (
  { sound, heard, to }: { sound: string; heard: string; to: string },
  options: Record<string, string | number>,
  samples: number,
): Chain[] => [
  { from: [sound], filters: [{ name: 'apad' }], to: [`${sound}endless`] },
  { from: [heard], filters: [{ name: 'apad' }], to: [`${heard}endless`] },
  {
    from: [`${sound}endless`, `${heard}endless`],
    filters: [
      { name: 'sidechaincompress', options },
      { name: 'atrim', options: { end_sample: samples } },
    ],
    to: [to],
  },
];
