import { decodeAmr, type Laid, oddSamples, SOUND_RATE, type Sound } from './decode.ts';
import type { Family, StatedStream } from './stated.ts';

/** A frame of AAC at 8 kHz. */
const LONGEST_FRAME_SECONDS = 0.129;

/** Two time stamps that are each rounded to a millisecond. */
export const ROUNDING_SECONDS = 0.0021;

export const endOf = ({ start, samples }: Sound) => start + samples.length / SOUND_RATE;

/** The sound of a track as a player plays it, of what ffmpeg has decoded. */
export async function soundOf(
  path: string,
  audio: StatedStream,
  family: Family,
  decoded: Sound | null,
): Promise<Sound | null> {
  const sound = await ofWholePackets(path, audio, family, decoded);
  if (!sound) return null;
  const started = laidAs(audio, family) === 'row' ? { ...sound, start: audio.packets[0]?.pts ?? 0 } : sound;
  return endedBy(audio, family, withoutDelay(filledFromStart(audio, family, started), family));
}

async function ofWholePackets(
  path: string,
  { index, codec_name = '', packets }: StatedStream,
  { container }: Family,
  decoded: Sound | null,
): Promise<Sound | null> {
  if (!codec_name.startsWith('amr') || !container.startsWith('mov')) return decoded;
  return decodeAmr(path, index, packets[0]?.pts ?? 0);
}

/**
 * In mp4 time begins where the edit list says, or else with the first packet, though decoders drop what an encoder added there:
 * faad and ffmpeg give nothing for the first packet of FAAC, and the second one stands where it stood.
 */
export function filledFromStart(
  { codec_name, packets }: StatedStream,
  { container }: Family,
  sound: Sound,
): Sound {
  if (codec_name !== 'aac' || !container.startsWith('mov')) return sound;
  const [first, second] = packets;
  // What an edit list or a tag hides is not missing: it leaves the first packet before 0, or a part of it to be heard.
  if (!first || !second || first.pts !== 0 || !first.shown || first.skips) return sound;
  if (Math.abs(sound.start - second.pts) > 1 / SOUND_RATE) return sound;
  const samples = new Int16Array(Math.round(second.pts * SOUND_RATE) + sound.samples.length);
  samples.set(sound.samples, samples.length - sound.samples.length);
  return { start: 0, samples };
}

/**
 * CodecDelay of Matroska puts what a decoder has to drop before zero (RFC 9559, 5.1.4.1.25). Older versions of ffmpeg drop it of
 * Opus alone, newer ones of all codecs.
 */
function withoutDelay(sound: Sound, { container }: Family): Sound {
  if (!container.startsWith('matroska') || sound.start >= 0) return sound;
  return { start: 0, samples: sound.samples.subarray(Math.round(-sound.start * SOUND_RATE)) };
}

/** How the times of a sound are to be read. */
export function laidAs(audio: StatedStream, family: Family): Laid {
  const { codec_name = '' } = audio;
  if (statesEnds(audio, family)) return 'row';
  if (family.container !== 'asf') return 'timed';
  // ffmpeg gives the frames of a packet with the next one, and states the time of that one.
  if (codec_name === 'wmalossless') return 'row';
  return codec_name.startsWith('wma') ? 'packed' : 'timed';
}

/**
 * libavformat before version 54 stated where a block of Vorbis ends: a step is as long as the block after it. Such times are not to
 * be followed.
 */
function statesEnds({ codec_name, packets }: StatedStream, { container }: Family): boolean {
  if (codec_name !== 'vorbis' || !container.startsWith('matroska')) return false;
  let [own, next] = [0, 0];
  for (const [index, { pts, duration }] of packets.slice(1).entries()) {
    const before = packets[index];
    if (!before || Math.abs(duration - before.duration) < 2 * ROUNDING_SECONDS) continue;
    if (Math.abs(pts - before.pts - before.duration) < ROUNDING_SECONDS) own += 1;
    if (Math.abs(pts - before.pts - duration) < ROUNDING_SECONDS) next += 1;
  }
  return next > 2 * own;
}

/** The last packet of a track in mp4 may be shorter than what its decoder makes of it. */
function endedBy({ packets }: StatedStream, { container }: Family, sound: Sound): Sound {
  const last = container.startsWith('mov') ? packets.at(-1) : undefined;
  const beyond = last && last.duration > 0 ? endOf(sound) - (last.pts + last.duration) : 0;
  if (beyond <= 0 || beyond > LONGEST_FRAME_SECONDS) return sound;
  const samples = sound.samples.subarray(0, sound.samples.length - Math.round(beyond * SOUND_RATE));
  return { ...sound, samples };
}

/** Codecs that can hold samples that are not numbers. */
const FLOATS = /^(pcm_f|mp4als|wavpack)/;

export async function hasOnlyNumbers(
  path: string,
  { index, codec_name = '' }: StatedStream,
): Promise<boolean> {
  return !FLOATS.test(codec_name) || (await oddSamples(path, index)) === 0;
}
