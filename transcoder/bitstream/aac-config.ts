import { BitReader } from './bits.ts';

const LOW_COMPLEXITY = 2;
const SPECTRAL_BANDS = 5;
const SYNC_EXTENSION = 0x2b7;
/** Up to this sample rate in hertz, only the frames tell whether spectral band replication is used (ISO/IEC 14496-3 1.6.6.1). */
const LOW_RATE = 24_000;
const rates = [
  ...[96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350],
];
const EXPLICIT_RATE = 15;

/**
 * Whether an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1) proves that the audio is plain AAC-LC without extensions, in which
 * case sample rate and channel count can be trusted. Throws RangeError if it is damaged.
 */
export function isPlainAac(config: Uint8Array): boolean {
  const reader = new BitReader(config);
  if (reader.bits(5) !== LOW_COMPLEXITY) return false;
  const index = reader.bits(4);
  const rate = index === EXPLICIT_RATE ? reader.bits(24) : rates[index];
  const channels = reader.bits(4);
  const [, dependent] = [reader.flag(), reader.flag()];
  if (rate === undefined || channels === 0 || dependent || reader.flag()) return false;
  const left = config.length * 8 - reader.position;
  if (left < 17 || reader.bits(11) !== SYNC_EXTENSION) return rate > LOW_RATE;
  return reader.bits(5) === SPECTRAL_BANDS && !reader.flag();
}
