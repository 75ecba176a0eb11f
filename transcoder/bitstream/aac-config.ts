import { BitReader } from './bits.ts';
import { aacChannels, aacRates, type SoundHeader } from './sound-header.ts';

const LOW_COMPLEXITY = 2;
const SPECTRAL_BANDS = 5;
const SYNC_EXTENSION = 0x2b7;
/** Up to this sample rate in hertz, only the frames tell whether spectral band replication is used (ISO/IEC 14496-3 1.6.6.1). */
const LOW_RATE = 24_000;
const EXPLICIT_RATE = 15;
const ESCAPED_TYPE = 31;

/**
 * Whether an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1) proves that the audio is plain AAC-LC without extensions, in which
 * case sample rate and channel count can be trusted. Throws RangeError if it is damaged.
 */
export function isPlainAac(config: Uint8Array): boolean {
  const reader = new BitReader(config);
  if (reader.bits(5) !== LOW_COMPLEXITY) return false;
  const index = reader.bits(4);
  const rate = index === EXPLICIT_RATE ? reader.bits(24) : aacRates[index];
  const channels = reader.bits(4);
  const [, dependent] = [reader.flag(), reader.flag()];
  if (rate === undefined || channels === 0 || dependent || reader.flag()) return false;
  const left = config.length * 8 - reader.position;
  if (left < 17 || reader.bits(11) !== SYNC_EXTENSION) return rate > LOW_RATE;
  return reader.bits(5) === SPECTRAL_BANDS && !reader.flag();
}

/** What an AudioSpecificConfig (ISO/IEC 14496-3 1.6.2.1) states; null if it is damaged, or of an object type that is coded otherwise. */
export function configuredSound(config: Uint8Array): SoundHeader | null {
  try {
    const reader = new BitReader(config);
    if (reader.bits(5) === ESCAPED_TYPE) return null;
    const index = reader.bits(4);
    const sampleRate = index === EXPLICIT_RATE ? reader.bits(24) : aacRates[index];
    const channels = aacChannels[reader.bits(4)];
    return sampleRate === undefined || channels === undefined ? null : { sampleRate, channels };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}
