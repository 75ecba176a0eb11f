import type { AudioContainer, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import { type AudioCodec, audioCodecsOf } from '../../../schema/operations/transcode.ts';
import { type ChannelLayout, channelsOf, isMixable, layoutOf, maskOf } from '../../model/channel-layouts.ts';
import type { AudioEncoder, AudioEncoding } from '../../model/encoding.ts';
import type { StatedAudio } from '../../model/source/media-probe.ts';
import type { Filter } from '../../model/steps.ts';

export interface AudioTarget {
  codec: AudioCodec;
  encoding: AudioEncoding;
  sampleRate: number;
  channels: number;
  layout: ChannelLayout;
  /** Filters that convert the sound to the encoder's input format; run last. */
  after: Filter[];
}

/** ffprobe's names for the codecs of our encoders. */
export const probedCodec: Record<AudioEncoder, string> = {
  aac: 'aac',
  libmp3lame: 'mp3',
  libopus: 'opus',
  libvorbis: 'vorbis',
  flac: 'flac',
  pcm_s16le: 'pcm_s16le',
  pcm_s24le: 'pcm_s24le',
};

const usual = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000];

/** Sample rates that encoders take, with the default first; libvorbis holds a bitrate up to 50 kHz alone. */
const rates: Partial<Record<AudioCodec, readonly number[]>> = {
  opus: [48_000],
  mp3: usual,
  vorbis: usual,
  aac: [...usual, 96_000, 88_200, 64_000],
};

/**
 * Matroska has no delay for AAC, so the muxer moves everything else by the packet of 1024 samples in front. At the rates of
 * telephones that is up to 0.13 s, and the last packet ends as far behind the picture. The muxer of mp4 takes no MP3 below 16 kHz,
 * which is MPEG-2.5.
 */
const leastRates: Partial<Record<VideoContainer | AudioContainer, Partial<Record<AudioCodec, number>>>> = {
  mkv: { aac: 32_000 },
  mp4: { mp3: 16_000 },
};

function rateFor(codec: AudioCodec, container: VideoContainer | AudioContainer, own: number): number {
  const least = leastRates[container]?.[codec] ?? 0;
  const possible = rates[codec]?.filter((rate) => rate >= least);
  if (!possible || possible.includes(own)) return own;
  return possible.includes(44_100) && isMultiple(44_100, own) ? 44_100 : (possible[0] ?? 48_000);
}

const isMultiple = (one: number, other: number) => one % other === 0 || other % one === 0;

const everywhere = ['mono', 'stereo'] as const;
/** Vorbis I, 4.3.9. */
const ofVorbis = [...everywhere, '3.0', 'quad', '5.0', '5.1', '6.1', '7.1'] as const;
const lossless = [...everywhere, '2.1', '3.0', 'quad', '4.0', '5.0', '5.1', '6.1', '7.1'] as const;

/**
 * Layouts that every decoder of a codec knows, by size. For AAC, the channel configurations of ISO/IEC 14496-3, table 1.19. Opus has the
 * layouts of Vorbis (RFC 7845, 5.1.1.2), but ffmpeg's encoder exchanges channels of 5.0 and 6.1.
 */
const layouts: Record<AudioCodec, readonly ChannelLayout[]> = {
  aac: [...everywhere, '3.0', '4.0', '5.0', '5.1', '7.1'],
  mp3: everywhere,
  opus: ofVorbis.filter((layout) => layout !== '5.0' && layout !== '6.1'),
  vorbis: ofVorbis,
  flac: lossless,
  pcm: lossless,
};

/** The layout of an output, and whether it has all channels of the source. */
function layoutFor(codec: AudioCodec, audio: StatedAudio): { layout: ChannelLayout; whole: boolean } {
  if (!isMixable(audio)) return { layout: 'stereo', whole: false };
  const own = layoutOf(audio);
  const larger = own && layouts[codec].find((one) => (maskOf(one) & maskOf(own)) === maskOf(own));
  if (larger) return { layout: larger, whole: true };
  const usual = (['7.1', '5.1', 'stereo'] as const).filter((one) => leastFor[one] <= audio.channels);
  return { layout: usual.find((one) => layouts[codec].includes(one)) ?? 'mono', whole: false };
}

/** Channels of a source from which it is mixed to a layout that does not have all of them. */
const leastFor = { '7.1': 8, '5.1': 4, stereo: 2 };

/** A source of endless silence. */
export const silent = ({ layout, sampleRate }: Pick<AudioTarget, 'layout' | 'sampleRate'>): Filter => ({
  name: 'anullsrc',
  options: { channel_layout: layout, sample_rate: sampleRate },
});

/** What a request says of the sound; kilobits a second. */
export interface AskedSound {
  codec: 'auto' | AudioCodec;
  kbps: number | null;
}

/** The codec to encode in; what a container usually holds if the request leaves it open. */
export const codecFor = ({ codec }: AskedSound, container: VideoContainer | AudioContainer): AudioCodec =>
  codec === 'auto' ? audioCodecsOf[container][0] : codec;

/** A request that leaves codec and bitrate open. */
export const OPEN: AskedSound = { codec: 'auto', kbps: null };

/** @param into The container that the packets are moved to in the end. */
export function audioTarget(
  audio: StatedAudio,
  container: VideoContainer | AudioContainer,
  asked: AskedSound = OPEN,
  into: VideoContainer | AudioContainer = container,
): AudioTarget {
  const codec = codecFor(asked, container);
  const sampleRate = rateFor(codec, into, audio.sampleRate);
  const { layout, whole } = layoutFor(codec, audio);
  const channels = channelsOf(layout);
  const deep = (audio.bitsPerSample ?? 16) > 16;
  return {
    codec,
    encoding: {
      encoder: encoderFor(codec, deep),
      kbps:
        codec === 'flac' || codec === 'pcm'
          ? null
          : bounded(codec, asked.kbps ?? kbpsLike(audio, channels), { channels, sampleRate }),
      ...(layoutOf(audio) === layout
        ? {}
        : {
            remixed: { from: { channels: audio.channels, layout: audio.layout }, to: layout, codec, whole },
          }),
    },
    sampleRate,
    channels,
    layout,
    after: [
      {
        name: 'aformat',
        options: {
          ...(codec === 'flac' ? { sample_fmts: deep ? 's32' : 's16' } : {}),
          sample_rates: sampleRate,
          channel_layouts: layout,
        },
      },
    ],
  };
}

/**
 * For a file of sound alone. Matroska states the encoder delay of Opus; that of AAC would be heard as silence in front, as
 * nothing else in the file shows where the sound begins.
 */
export const audioOnlyTarget = (
  audio: StatedAudio,
  container: VideoContainer | AudioContainer,
): AudioTarget => audioTarget(audio, container, container === 'mkv' ? { codec: 'opus', kbps: null } : OPEN);

/** LAME attenuates its input below these bitrates to avoid clipping (`abr_switch_map` in its presets.c). */
const lameScales = [
  { below: 177, scale: 0.95 },
  { below: 209, scale: 0.97 },
  { below: 241, scale: 0.98 },
];
/** MPEG-1 sample rates start here; below, the highest bitrate is 160 kbit/s. */
const MPEG1_RATE = 32_000;

/**
 * Compensates in advance for the attenuation of the encoder. Used where a loudness is guaranteed, whose peaks leave
 * headroom for it.
 */
export function loudAgain({ encoding, sampleRate }: AudioTarget): Filter[] {
  const { encoder, kbps } = encoding;
  if (encoder !== 'libmp3lame' || kbps === null) return [];
  const made = sampleRate < MPEG1_RATE ? 160 : kbps;
  const scale = lameScales.find(({ below }) => made < below)?.scale;
  if (scale === undefined) return [];
  return [{ name: 'volume', options: { volume: (1 / scale).toFixed(6), precision: 'double' } }];
}

function encoderFor(codec: AudioCodec, deep: boolean): AudioEncoder {
  if (codec === 'pcm') return deep ? 'pcm_s24le' : 'pcm_s16le';
  const encoders = {
    aac: 'aac',
    mp3: 'libmp3lame',
    opus: 'libopus',
    vorbis: 'libvorbis',
    flac: 'flac',
  } as const;
  return encoders[codec];
}

/** Approximately the source's bitrate, within sensible limits; a default for lossless sources. */
function kbpsLike(audio: StatedAudio, channels: number): number {
  const usual = 80 * channels;
  if (audio.kbps === null || audio.codec.startsWith('pcm') || audio.codec === 'flac') return usual;
  return Math.round(Math.min(Math.max(audio.kbps, 48 * channels), 192 * channels));
}

/** Bitrates in kbit/s per channel that libvorbis accepts below a sample rate (its modes, `setup_*.h`). */
const vorbisRates = [
  { below: 9000, least: 16, most: 40 },
  { below: 15_000, least: 16, most: 48 },
  { below: 19_000, least: 16, most: 96 },
  { below: 26_000, least: 16, most: 80 },
  { below: 40_000, least: 32, most: 160 },
  { below: Number.POSITIVE_INFINITY, least: 32, most: 200 },
];

function bounded(
  codec: AudioCodec,
  kbps: number,
  { channels, sampleRate }: Pick<AudioTarget, 'channels' | 'sampleRate'>,
): number {
  if (codec === 'vorbis') {
    const { least = 0, most = 0 } = vorbisRates.find(({ below }) => sampleRate < below) ?? {};
    return Math.max(least * channels, Math.min(most * channels, kbps));
  }
  const most: Partial<Record<AudioCodec, number>> = { mp3: 320, opus: 256 * channels };
  return Math.min(kbps, most[codec] ?? 512);
}
