import { type ChannelLayout, isMixable } from '../channel-layouts.ts';
import { decimal } from '../numbers/decimal.ts';
import { type Filter, repeatedOptions } from '../steps.ts';
import type { AudioStream } from './media-probe.ts';

/** In seconds: rounding by a container, and the largest deviation of a single frame. */
const ROUNDING = 0.003;
const ASTRAY = 0.04;
/** A deviation of more consecutive frames is a gap. */
const LASTING = 25;

/** What is known of the times of a sound. */
export type Timed = Pick<AudioStream, 'codec' | 'endsStated'>;

/** And of its channels, unless they are ours. */
type Heard = Timed & Partial<Pick<AudioStream, 'channels' | 'layout'>>;

/** Makes the times of a file's sound relative to this second of the file. */
export function soundSince(audio: Heard | null, seconds: number): Filter[] {
  return [...(audio ? readableSound(audio) : []), since(seconds)];
}

/** Lets all filters read the sound of a file: with steady times, and channels that can be mixed. */
export const readableSound = (audio: Heard): Filter[] => [...mixedAlike(audio), ...steadyTimes(audio)];

/** The same for sound that is repeated, with times from the first of its samples on. */
export const soundRepeated = (audio: Heard, rate?: number): Filter[] => [
  ...readableSound(audio),
  { name: 'asetpts', options: { expr: 'PTS-STARTPTS' } },
  { name: 'aresample', options: { ...(rate === undefined ? {} : { osr: rate }), ...repeatedOptions } },
];

/** As floats, which may pass full scale. Whole numbers would be lowered when they are mixed, to stay below it. */
export const mixedTo = (layout: ChannelLayout): Filter => ({
  name: 'aformat',
  options: { sample_fmts: 'fltp', channel_layouts: layout },
});

/** Mono on both sides, each as loud as it was. By default ffmpeg attenuates mono by 3 dB when it becomes stereo. */
export const onBothSides: Filter = { name: 'pan', options: { args: 'stereo|c0=c0|c1=c0' } };

/** For a sound that becomes part of one with this many channels. */
export const asLoudIn = (channels: number, own: Pick<AudioStream, 'channels'>): Filter[] =>
  own.channels === 1 && channels === 2 ? [onBothSides] : [];

/** How many channels a sound has after `readableSound`. */
export const channelsRead = (audio: Pick<AudioStream, 'channels' | 'layout'>): number =>
  isMixable(audio) ? audio.channels : 2;

/** Channels whose places are unknown are each heard as loud as the others, on both sides. */
function mixedAlike({ channels = 0, layout = null }: Heard): Filter[] {
  if (channels === 0 || isMixable({ channels, layout })) return [];
  const gain = (1 / channels).toFixed(6);
  const side = Array.from({ length: channels }, (_, channel) => `${gain}*c${channel}`).join('+');
  return [{ name: 'pan', options: { args: `stereo|c0=${side}|c1=${side}` } }];
}

/** The same for sound whose times are steady. */
export function since(seconds: number): Filter {
  return { name: 'asetpts', options: { expr: `round(PTS-(${decimal(seconds)})/TB)` } };
}

/**
 * Lets the frames of Vorbis follow one another: in Matroska and Ogg the times of single blocks may be 10 or 20 ms off, which would
 * become a gap or a loss of samples. A deviation that lasts longer than what it deviates from is believed: reading may have
 * begun with a block that is off. Other codecs have frames of one length.
 */
function steadyTimes({ codec, endsStated }: Timed): Filter[] {
  if (codec !== 'vorbis') return [];
  const [length, astray, next, exact, kept, stated] = [0, 1, 2, 3, 4, 5].map((at) => `ld(${at})`);
  const expr = [
    `st(5,PTS${endsStated ? '-NB_SAMPLES/SR/TB' : ''})`,
    // Not from PREV_OUTPTS, which is rounded.
    `st(2,if(isnan(PREV_OUTPTS),${stated},${exact}+${length}))`,
    `st(1,if(between(abs(${stated}-${next})*TB,${ROUNDING},${ASTRAY}),${astray}+1,0))`,
    `st(1,if(gt(${astray},min(${kept},${LASTING})),0,${astray}))`,
    `st(4,if(${astray},${kept},if(lt(abs(${stated}-${next})*TB,${ROUNDING}),${kept}+1,1)))`,
    'st(0,NB_SAMPLES/SR/TB)',
    `round(st(3,if(${astray},${next},${stated})))`,
  ].join(';');
  return [{ name: 'asetpts', options: { expr } }];
}
