import type { Stream } from 'node-av/lib';
import { id3Length, lameTag, TAG_BYTES, xingCounts, xingIn } from '../../../../bitstream/lame-tag.ts';
import type { SourceBytes } from '../read/source-bytes.ts';

/** An ID3v1 tag at the end of a file begins with `TAG`. */
const ID3V1_BYTES = 128;
/** Delay of decoders of MPEG audio in samples: so much less is dropped at the end, and more at the start. */
const DECODER_DELAY = 529;

/** Whether numbers differ by a hundredth at the most. */
const isLike = (one: number, other: number): boolean => Math.abs(one - other) <= other / 100;

/**
 * The last packet of an mp3, in ticks, as its first frame states it (http://gabriel.mp3-tech.org/mp3infotag.html): with the number of frames
 * and bytes that follow, if the file has exactly as many, which is not so if it is cut off, or if files were joined. Null if it has to be
 * read.
 * @param start Tick of the first sample that is heard; above 0 only if libav believes what the frame states of delay and padding.
 */
export async function mp3End(
  bytes: SourceBytes,
  { codecpar: { frameSize, sampleRate, bitRate }, timeBase: { num, den } }: Stream,
  start: number,
): Promise<{ last: number; duration: number; dropped: number } | null> {
  const at = id3Length(await bytes.all([0, 10]));
  const frame = await bytes.all([at, at + TAG_BYTES]);
  const xing = xingIn(frame);
  const counts = xing === null ? null : xingCounts(frame, xing);
  if (!counts || counts.frames < 1 || frameSize < 1 || sampleRate < 1) return null;
  const tail = await bytes.all([Math.max(0, bytes.size - ID3V1_BYTES), bytes.size], null);
  const tagged = tail.toString('latin1', 0, 3) === 'TAG' ? ID3V1_BYTES : 0;
  if (at + counts.bytes !== bytes.size - tagged) return null;
  if (
    counts.constant &&
    !isLike(counts.bytes * 8, (counts.frames + 1) * frameSize * (Number(bitRate) / sampleRate))
  )
    return null;
  const duration = (frameSize * den) / (sampleRate * num);
  const padding = start > 0 ? (lameTag(frame)?.padding ?? 0) : 0;
  const dropped = Math.min(frameSize, Math.max(0, padding - DECODER_DELAY));
  return { last: (counts.frames - 1) * duration, duration, dropped };
}
