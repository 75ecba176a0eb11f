import { AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P } from 'node-av/constants';
import { avGetCodecName, type Stream } from 'node-av/lib';
import type { SoundHeader } from '../../../../bitstream/sound-header.ts';
import { bitsOf } from '../probe/bits-of.ts';

/** The form of the samples that a sound is decoded to. */
export interface SampleForm extends SoundHeader {
  /** Whether 16 bits are too few for them. */
  deep: boolean;
}

const wide: readonly number[] = [AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P];

/** Decoders of lossy codecs give floating point, whatever was recorded; 16 bits are enough for these. */
export function formOf({ codecpar }: Stream): SampleForm {
  const { sampleRate, channels, format, bitsPerRawSample, codecId } = codecpar;
  const bits = Math.max(bitsPerRawSample, bitsOf(avGetCodecName(codecId) ?? ''));
  return { sampleRate, channels, deep: bits > 16 || wide.includes(format) };
}
