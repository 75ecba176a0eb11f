import { BitReader } from './bits.ts';

/** What the header of a frame of sound says of it. */
export interface SoundHeader {
  /** Hertz, without spectral band replication. */
  sampleRate: number;
  /** 0 if the header does not tell. */
  channels: number;
}

export const isSameSound = (one: SoundHeader, other: SoundHeader): boolean =>
  one.sampleRate === other.sampleRate && one.channels === other.channels;

/** ISO/IEC 14496-3, table 1.18. */
export const aacRates = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350],
];
/** Sample rates of ATSC A/52, table 5.6, and of ISO/IEC 11172-3, 2.4.2.3. */
const ac3Rates = [48_000, 44_100, 32_000];
const mpegRates = [44_100, 48_000, 32_000];
/** Full channels of AC-3 by `acmod` (A/52, table 5.8). */
const ac3Channels = [2, 1, 2, 3, 3, 4, 4, 5];
/** Channels of AAC by configuration (ISO/IEC 14496-3, table 1.19); 0 is stated elsewhere. */
export const aacChannels = [0, 1, 2, 3, 4, 5, 6, 8];

const readers: Partial<Record<string, (frame: Uint8Array) => SoundHeader | null>> = {
  aac: adts,
  ac3,
  eac3,
  mp1: mpeg,
  mp2: mpeg,
  mp3: mpeg,
};

/**
 * Sample rate and channels that the first frame of a packet states. Null if it states none, or if its codec is not known here.
 * @param codec libav's name.
 */
export function soundHeader(codec: string, packet: Uint8Array): SoundHeader | null {
  try {
    return readers[codec]?.(packet) ?? null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** ISO/IEC 13818-7, 6.2.1. */
function adts(frame: Uint8Array): SoundHeader | null {
  const reader = new BitReader(frame);
  if (reader.bits(12) !== 0xfff) return null;
  reader.bits(1);
  if (reader.bits(2) !== 0) return null;
  reader.bits(3);
  const sampleRate = aacRates[reader.bits(4)];
  reader.bits(1);
  const channels = aacChannels[reader.bits(3)];
  return sampleRate === undefined || channels === undefined ? null : { sampleRate, channels };
}

/** ISO/IEC 11172-3, 2.4.1.3, with half and a quarter of the sample rates in ISO/IEC 13818-3 and MPEG-2.5. */
function mpeg(frame: Uint8Array): SoundHeader | null {
  const reader = new BitReader(frame);
  if (reader.bits(11) !== 0x7ff) return null;
  const version = reader.bits(2);
  reader.bits(7);
  const rate = mpegRates[reader.bits(2)];
  reader.bits(2);
  const channels = reader.bits(2) === 3 ? 1 : 2;
  const divisor = { 3: 1, 2: 2, 0: 4 }[version];
  return rate === undefined || divisor === undefined ? null : { sampleRate: rate / divisor, channels };
}

const AC3_SYNC = 0x0b77;
/** Streams with a higher number are E-AC-3. */
const LAST_AC3 = 10;

/** ATSC A/52, 5.3. */
function ac3(frame: Uint8Array): SoundHeader | null {
  const reader = new BitReader(frame);
  if (reader.bits(16) !== AC3_SYNC) return null;
  reader.bits(16);
  const sampleRate = ac3Rates[reader.bits(2)];
  reader.bits(6);
  if (reader.bits(5) > LAST_AC3) return eac3(frame);
  reader.bits(3);
  const mode = reader.bits(3);
  // Levels of the middle, the surround, and the mark of Dolby Surround.
  if ((mode & 1) !== 0 && mode !== 1) reader.bits(2);
  if ((mode & 4) !== 0) reader.bits(2);
  if (mode === 2) reader.bits(2);
  const channels = (ac3Channels[mode] ?? 0) + reader.bit();
  return sampleRate === undefined ? null : { sampleRate, channels };
}

/** ATSC A/52, annex E, 2.2.2. Half rates (`fscod` 3) are in the two bits after it. */
function eac3(frame: Uint8Array): SoundHeader | null {
  const reader = new BitReader(frame);
  if (reader.bits(16) !== AC3_SYNC) return null;
  reader.bits(16);
  const code = reader.bits(2);
  const more = reader.bits(2);
  const sampleRate = code === 3 ? (ac3Rates[more] ?? 0) / 2 : ac3Rates[code];
  const channels = (ac3Channels[reader.bits(3)] ?? 0) + reader.bit();
  return sampleRate === undefined || sampleRate === 0 ? null : { sampleRate, channels };
}
