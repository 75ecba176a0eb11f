import type { Filter, Input } from '../../model/steps.ts';

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

export const rawInput = (file: string, channels: number): Input => ({
  raw: file,
  sampleRate: MIX_RATE,
  layout: layoutOf(channels),
});
