import { decimal } from '../../model/numbers/decimal.ts';
import type { Chain, Filter, Input } from '../../model/steps.ts';

/** Sample rate of all mixing. */
export const MIX_RATE = 48_000;

/** Voices and stems have one or two channels. */
const layoutOf = (channels: number) => (channels === 1 ? 'mono' : 'stereo');

export const floats = (channels: number): Filter => ({
  name: 'aformat',
  options: { sample_fmts: 'flt', sample_rates: MIX_RATE, channel_layouts: layoutOf(channels) },
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

export const rawInput = (file: string, channels: number): Input => ({
  raw: file,
  sampleRate: MIX_RATE,
  layout: layoutOf(channels),
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
