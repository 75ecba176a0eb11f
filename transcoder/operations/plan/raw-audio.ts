import type { Filter, Input } from '../../model/steps.ts';
import { layoutName } from './audio-target.ts';

/** Rate of everything that is mixed. */
export const MIX_RATE = 48_000;

export const floats = (channels: number): Filter => ({
  name: 'aformat',
  options: { sample_fmts: 'flt', sample_rates: MIX_RATE, channel_layouts: layoutName(channels) },
});

/** Silence up to so many samples, and nothing beyond. */
export const exactly = (samples: number): Filter[] => [
  { name: 'apad', options: { whole_len: samples } },
  { name: 'atrim', options: { end_sample: samples } },
];

export const rawInput = (file: string, channels: number): Input => ({
  raw: file,
  sampleRate: MIX_RATE,
  channels,
});
