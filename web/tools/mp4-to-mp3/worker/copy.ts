import { EncodedPacketSink, type InputAudioTrack } from 'mediabunny';
import { ToolError } from '../failures.ts';
import { DECODER_DELAY, type Gaps } from '../sound/info-frame.ts';
import type { Mp3File } from './mp3-file.ts';

/** Sound that begins later than this needs silence before it, which a copy cannot have. */
const LATEST_START = 0.02;

export const startsOnTime = async (track: InputAudioTrack, origin: number): Promise<boolean> =>
  (await track.getFirstTimestamp()) - origin <= LATEST_START;

/** Copies the frames of a track that is MP3 already. @returns the samples at either end that the source does not play */
export async function copy(
  track: InputAudioTrack,
  { origin, end }: { origin: number; end: number },
  mp3: Mp3File,
  onProgress: (timestamp: number) => void,
): Promise<{ gaps: Gaps | null; seconds: number }> {
  let first: number | null = null;
  let last = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    first ??= packet.timestamp;
    last = packet.timestamp + packet.duration;
    mp3.add(packet.data);
    await mp3.drain();
    onProgress(packet.timestamp);
  }
  if (first === null || !mp3.frame) throw new ToolError({ code: 'nothing_left' });
  const { sampleRate } = mp3.frame;
  const before = Math.round((origin - first) * sampleRate);
  // Without an edit list nothing is skipped: neither what the encoder nor what the decoder adds.
  if (before < DECODER_DELAY) return { gaps: null, seconds: mp3.samples / sampleRate };
  const seconds = Math.min(end, last) - origin;
  const padding = mp3.samples - before - Math.round(seconds * sampleRate);
  return { gaps: { delay: before - DECODER_DELAY, padding: padding + DECODER_DELAY }, seconds };
}
