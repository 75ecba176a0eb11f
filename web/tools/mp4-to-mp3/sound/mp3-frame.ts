/** What the four bytes at the start of an MPEG audio frame of layer III say. */
export interface Mp3Frame {
  isMpeg1: boolean;
  channels: 1 | 2;
  sampleRate: number;
  /** In kbit/s. */
  bitrate: number;
  /** Samples of each channel. */
  samples: number;
  /** Length with the header. */
  bytes: number;
}

const BITRATES = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const SAMPLE_RATES = [44100, 48000, 32000];
const MPEG1 = 3;
const RESERVED_VERSION = 1;
const LAYER_III = 1;
const MONO = 3;

/** @returns null if no frame of layer III with a known length begins there. */
export function readMp3Frame(bytes: Uint8Array): Mp3Frame | null {
  const [sync = 0, kind = 0, rates = 0, mode = 0] = bytes;
  const version = (kind >> 3) & 3;
  const isFrame = sync === 0xff && (kind & 0xe0) === 0xe0 && version !== RESERVED_VERSION;
  if (!isFrame || ((kind >> 1) & 3) !== LAYER_III) return null;
  const isMpeg1 = version === MPEG1;
  const bitrate = bitratesOf(isMpeg1)[rates >> 4];
  const mpeg1Rate = SAMPLE_RATES[(rates >> 2) & 3];
  if (!bitrate || !mpeg1Rate) return null;
  const sampleRate = isMpeg1 ? mpeg1Rate : version === 2 ? mpeg1Rate / 2 : mpeg1Rate / 4;
  const samples = isMpeg1 ? 1152 : 576;
  const padding = (rates >> 1) & 1;
  return {
    isMpeg1,
    channels: mode >> 6 === MONO ? 1 : 2,
    sampleRate,
    bitrate,
    samples,
    bytes: frameBytes(samples, bitrate, sampleRate) + padding,
  };
}

const bitratesOf = (isMpeg1: boolean) => (isMpeg1 ? BITRATES.mpeg1 : BITRATES.mpeg2);

const frameBytes = (samples: number, bitrate: number, sampleRate: number) =>
  Math.floor((samples * bitrate * 125) / sampleRate);

/** The smallest bitrate whose frames are at least that long, by its index in the header. */
export function smallestBitrate(
  { isMpeg1, samples, sampleRate }: Mp3Frame,
  bytes: number,
): { index: number; bytes: number } {
  const index = bitratesOf(isMpeg1).findIndex((bitrate) => frameBytes(samples, bitrate, sampleRate) >= bytes);
  const bitrate = bitratesOf(isMpeg1)[index];
  if (bitrate === undefined) throw new Error(`no frame has ${bytes} bytes`);
  return { index, bytes: frameBytes(samples, bitrate, sampleRate) };
}

/** Length of header and side information, after which a decoder looks for the tag of Xing. */
export const sideInformationEnd = ({ isMpeg1, channels }: Mp3Frame): number =>
  4 + (isMpeg1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17);
