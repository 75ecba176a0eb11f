/** Layouts of sound that is encoded, by ffmpeg's names, with the mask of their speakers. */
const masks = {
  mono: 0x4n,
  stereo: 0x3n,
  '2.1': 0xbn,
  '3.0': 0x7n,
  '4.0': 0x107n,
  quad: 0x33n,
  '5.0': 0x37n,
  '5.1': 0x3fn,
  '6.1': 0x70fn,
  '7.1': 0x63fn,
} as const;

export type ChannelLayout = keyof typeof masks;
export const channelLayouts = Object.keys(masks) as [ChannelLayout, ...ChannelLayout[]];

export const maskOf = (layout: ChannelLayout): bigint => masks[layout];

export const channelsOf = (layout: ChannelLayout): number =>
  [...maskOf(layout).toString(2)].filter((bit) => bit === '1').length;

/** What ffmpeg takes sound for that states only how many channels it has. */
const usual: Partial<Record<number, ChannelLayout>> = {
  ...{ 1: 'mono', 2: 'stereo', 3: '2.1', 4: '4.0', 5: '5.0', 6: '5.1', 7: '6.1', 8: '7.1' },
};

export const usualLayout = (channels: number): ChannelLayout | null => usual[channels] ?? null;

/** The same speakers, of which the rear ones are called side speakers. */
const alike: Partial<Record<string, ChannelLayout>> = {
  ...{ 'quad(side)': 'quad', '5.0(side)': '5.0', '5.1(side)': '5.1' },
};

/** The layout of a stream; null if it is not listed above. A name with another number of channels is ignored. */
export function layoutOf({
  channels,
  layout: name,
}: {
  channels: number;
  layout: string | null;
}): ChannelLayout | null {
  if (name === null) return usualLayout(channels);
  const layout = alike[name] ?? channelLayouts.find((one) => one === name);
  if (layout) return channelsOf(layout) === channels ? layout : usualLayout(channels);
  return channels <= 2 ? usualLayout(channels) : null;
}

/** Speakers of which libswresample mixes both or none (`sane_layout`). */
const pairs = [
  ['FL', 'FR'],
  ['SL', 'SR'],
  ['BL', 'BR'],
  ['FLC', 'FRC'],
] as const;
const FRONT = ['FL', 'FR', 'FC'];

/**
 * Whether ffmpeg can mix a stream to another layout: not if it does not know where the channels are, as in a recording of many
 * microphones. Otherwise ffmpeg names the layout, or lists its speakers, such as `3 channels (FL+FR+SL)`.
 */
export function isMixable({ channels, layout }: { channels: number; layout: string | null }): boolean {
  if (layout === null) return usualLayout(channels) !== null;
  if (layout.startsWith('ambisonic')) return false;
  const [, list] = /^\d+ channels(?: \((.*)\))?$/.exec(layout) ?? [layout, null];
  if (list === null) return true;
  const speakers = new Set(list?.split('+') ?? []);
  const isSane = pairs.every(([left, right]) => speakers.has(left) === speakers.has(right));
  return isSane && FRONT.some((speaker) => speakers.has(speaker));
}
