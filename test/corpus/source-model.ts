import { readFile } from 'node:fs/promises';
import {
  decode,
  decodeAmr,
  inspect,
  oddSamples,
  PICTURE_BYTES,
  type Pictures,
  SOUND_RATE,
  type Sound,
} from './decode.ts';
import { withoutGarbage } from './mp3-garbage.ts';

/**
 * What is in a source by ffmpeg's own decode of all of it. It shares no code with what it judges: neither the planners
 * nor the probe of the transcoder.
 */
export interface SourceModel {
  family: Family;
  /** Null: no moving picture or still, cover art aside. */
  pictures: SourcePictures | null;
  sound: Sound | null;
  /** Seconds on the container's clock at which a player shows or plays something first. */
  origin: number;
  /** Seconds from the origin to the end of the last frame or sample, whichever is later. */
  duration: number;
  /** ffmpeg decoded everything without a word. */
  clean: boolean;
}

export interface SourcePictures extends Pictures {
  /** When the last frame stops being shown, on the container's clock. */
  end: number;
  /** Frames stand at equal distances, up to the rounding of their time stamps. */
  regular: boolean;
  /** Its index in the file. */
  stream: number;
  width: number;
  height: number;
  /** The colour matrix, as ffmpeg's `scale` names it. */
  matrix: string;
}

export interface Family {
  /** ffprobe's names of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  container: string;
  video: string | null;
  audio: string | null;
}

/** What the file states about itself, before anything is decoded. */
export interface Stated {
  family: Family;
  video: StatedStream | null;
  audio: StatedStream | null;
  /** Seconds; null where nothing is stated. */
  duration: number | null;
}

interface StatedStream {
  index: number;
  codec_type: string;
  codec_name?: string;
  width?: number;
  height?: number;
  has_b_frames?: number;
  sample_rate?: string;
  channels?: number;
  avg_frame_rate?: string;
  color_space?: string;
  r_frame_rate?: string;
  disposition?: Record<string, number>;
}

/** @returns null where ffprobe finds no media. */
export async function statedBy(path: string): Promise<Stated | null> {
  const facts = await inspect<{
    format?: { format_name?: string; duration?: string; start_time?: string };
    streams?: StatedStream[];
  }>(path, '-show_format', '-show_streams');
  if (!facts?.format?.format_name) return null;
  const shown = (facts.streams ?? []).filter(
    (stream) => stream.disposition?.attached_pic !== 1 && isDescribed(stream),
  );
  const chosen = (type: string) => {
    const those = shown.filter(({ codec_type }) => codec_type === type);
    return those.find(({ disposition }) => disposition?.default === 1) ?? those[0] ?? null;
  };
  const video = chosen('video');
  const audio = chosen('audio');
  // A container that counts from zero counts what is before the start too.
  const late = Math.max(0, Number(facts.format.start_time ?? 0));
  const stated = Number(facts.format.duration ?? Number.NaN);
  const duration = stated > late ? stated - late : stated;
  return {
    family: {
      container: facts.format.format_name,
      video: video && (video.codec_name ?? 'unknown'),
      audio: audio && (audio.codec_name ?? 'unknown'),
    },
    video,
    audio,
    duration: Number.isFinite(duration) ? duration : null,
  };
}

/** A table of streams may list a track of which no packet comes; ffmpeg ends a run that decodes it. */
const isDescribed = ({ codec_type, sample_rate, channels }: StatedStream): boolean =>
  codec_type !== 'audio' || (sample_rate !== '0' && channels !== 0);

/** @returns null where ffmpeg decodes neither a frame nor a sample; noise is what it makes of encrypted media. */
export async function modelOf(path: string, stated: Stated): Promise<SourceModel | null> {
  if (await isEncrypted(path, stated.family)) return null;
  return withoutGarbage(path, stated.family, (own) => modelOfFile(own, stated));
}

/** Whether a track of an mp4 has a scheme of protection (ISO/IEC 14496-12, 8.12). */
async function isEncrypted(path: string, { container }: Family): Promise<boolean> {
  return (
    container.startsWith('mov') && /sinf.{4}frma.{4}.{4}schm/s.test((await readFile(path)).toString('latin1'))
  );
}

async function modelOfFile(path: string, stated: Stated): Promise<SourceModel | null> {
  const { video, audio, family } = stated;
  if (!video && !audio) return null;
  const presented = video === null || (await hasPresentationTimes(path, video, family));
  const start = audio && (await startOf(path, audio, family));
  const decoded = await decode(path, {
    ...{ video: video?.index, audio: audio?.index },
    ...{ presented, inARow: start?.inARow ?? false },
  });
  const timed = video && decoded.pictures && (await timedPictures(path, video, decoded.pictures, presented));
  const shown = video && timed && (await picturesOf(path, video, family, timed));
  const sound = audio && (await soundOf(path, audio, family, decoded.sound));
  const begun = audio && sound && (await filledFromStart(path, audio, family, startedAt(sound, start)));
  const heard = audio && begun && (await endedBy(path, audio, family, withoutDelay(begun, family)));
  if (!shown && !heard) return null;
  const starts = [...(shown?.times.slice(0, 1) ?? []), ...(heard ? [heard.start] : [])];
  const ends = [...(shown ? [shown.end] : []), ...(heard ? [endOf(heard)] : [])];
  const origin = Math.min(...starts);
  return {
    family,
    pictures: shown,
    sound: heard,
    origin,
    duration: Math.max(...ends) - origin,
    clean: decoded.complaints === '' && (audio === null || (await hasOnlyNumbers(path, audio))),
  };
}

export const endOf = ({ start, samples }: Sound) => start + samples.length / SOUND_RATE;

async function soundOf(
  path: string,
  { index, codec_name = '' }: StatedStream,
  { container }: Family,
  decoded: Sound | null,
) {
  if (!codec_name.startsWith('amr') || !container.startsWith('mov')) return decoded;
  return decodeAmr(path, index, (await packetsOf(path, index))[0]?.pts ?? 0);
}

/** Where sound begins if its first decoded frame does not say so. */
interface Start {
  seconds: number;
  /** The times of the packets are not to be followed. */
  inARow: boolean;
}

async function startOf(
  path: string,
  { index, codec_name = '' }: StatedStream,
  { container }: Family,
): Promise<Start | null> {
  if (codec_name === 'vorbis' && container.startsWith('matroska')) {
    const packets = await packetsOf(path, index);
    return stateEnds(packets) ? { seconds: packets[0]?.pts ?? 0, inARow: true } : null;
  }
  return null;
}

/**
 * In mp4 time begins where the edit list says, or else with the first packet, though decoders drop what an encoder added there:
 * faad and ffmpeg give nothing for the first packet of FAAC, and the second one stands where it stood.
 */
export async function filledFromStart(
  path: string,
  { index, codec_name }: StatedStream,
  { container }: Family,
  sound: Sound,
): Promise<Sound> {
  if (codec_name !== 'aac' || !container.startsWith('mov')) return sound;
  const [first, second] = await packetsOf(path, index);
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

/** libavformat before version 54 stated where a block of Vorbis ends: a step is as long as the block after it. */
function stateEnds(packets: readonly Packet[]): boolean {
  let [own, next] = [0, 0];
  for (const [index, { pts, duration }] of packets.slice(1).entries()) {
    const before = packets[index];
    if (!before || Math.abs(duration - before.duration) < 2 * ROUNDING_SECONDS) continue;
    if (Math.abs(pts - before.pts - before.duration) < ROUNDING_SECONDS) own += 1;
    if (Math.abs(pts - before.pts - duration) < ROUNDING_SECONDS) next += 1;
  }
  return next > 2 * own;
}

const startedAt = (sound: Sound, start: Start | null): Sound =>
  start === null ? sound : { ...sound, start: start.seconds };

/** The last packet of a track in mp4 may be shorter than what its decoder makes of it. */
async function endedBy(
  path: string,
  { index }: StatedStream,
  { container }: Family,
  sound: Sound,
): Promise<Sound> {
  const last = container.startsWith('mov') ? (await packetsOf(path, index)).at(-1) : undefined;
  const beyond = last && last.duration > 0 ? endOf(sound) - (last.pts + last.duration) : 0;
  if (beyond <= 0 || beyond > LONGEST_FRAME_SECONDS) return sound;
  const samples = sound.samples.subarray(0, sound.samples.length - Math.round(beyond * SOUND_RATE));
  return { ...sound, samples };
}

/** Codecs that can hold samples that are not numbers. */
const FLOATS = /^(pcm_f|mp4als|wavpack)/;

async function hasOnlyNumbers(path: string, { index, codec_name = '' }: StatedStream): Promise<boolean> {
  return !FLOATS.test(codec_name) || (await oddSamples(path, index)) === 0;
}

async function picturesOf(
  path: string,
  video: StatedStream,
  { container }: Family,
  decoded: Pictures,
): Promise<SourcePictures> {
  const packets = await packetsOf(path, video.index);
  const times = UNTIMED.has(container) ? timesByOrder(decoded.times, packets, rateOf(video)) : decoded.times;
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const sorted = gaps.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 1 / (rateOf(video) ?? 25);
  const last = packets.find(({ pts }) => Math.abs(pts - (times.at(-1) ?? 0)) < 1e-4);
  const shown = last && last.duration > 0 ? last.duration : usual;
  return {
    times,
    bytes: decoded.bytes,
    end: (times.at(-1) ?? 0) + shown,
    regular: (sorted.at(-1) ?? 0) - (sorted[0] ?? 0) <= ROUNDING_SECONDS,
    stream: video.index,
    width: video.width ?? 0,
    height: video.height ?? 0,
    // Untagged video is BT.709 from 720 lines on, as in players.
    matrix: MATRICES[video.color_space ?? ''] ?? ((video.height ?? 0) >= 720 ? 'bt709' : 'bt601'),
  };
}

/** A frame of AAC at 8 kHz. */
const LONGEST_FRAME_SECONDS = 0.129;

/** Two time stamps that are each rounded to a millisecond. */
const ROUNDING_SECONDS = 0.0021;

/** ffmpeg decodes pictures before the first keyframe too, though they refer to ones that are missing; ffprobe leaves them out. */
function withoutBroken({ times, bytes }: Pictures, first: number | null): Pictures {
  const broken = first === null ? 0 : times.findIndex((time) => time >= first - 1e-4);
  if (broken <= 0 || broken > MOST_BROKEN) return { times, bytes };
  return { times: times.slice(broken), bytes: bytes.subarray(broken * PICTURE_BYTES) };
}

/** No more frames than these can stand before a keyframe that they follow in the file. */
const MOST_BROKEN = 16;

/** Seconds at which the first frame stands that ffprobe decodes. */
async function firstWhole(path: string, index: number): Promise<number | null> {
  const found = await inspect<{ frames?: { best_effort_timestamp_time?: string }[] }>(
    path,
    ...['-select_streams', `${index}`, '-read_intervals', '%+#100'],
    ...['-show_entries', 'frame=best_effort_timestamp_time'],
  );
  const first = Number(found?.frames?.[0]?.best_effort_timestamp_time ?? Number.NaN);
  return Number.isFinite(first) ? first : null;
}

const MATRICES: Readonly<Record<string, string>> = {
  bt709: 'bt709',
  bt2020nc: 'bt2020',
  bt470bg: 'bt601',
  smpte170m: 'bt601',
  smpte240m: 'smpte240m',
};

/** AVI and raw streams have no presentation times: the frame that is shown n-th stands where the n-th packet does. */
const UNTIMED = new Set(['avi', 'h264', 'hevc', 'mpegvideo', 'm4v']);

/** Muxers that know no presentation times write decoding times in their place. */
async function hasPresentationTimes(
  path: string,
  { index, has_b_frames = 0 }: StatedStream,
  { container }: Family,
): Promise<boolean> {
  if (has_b_frames === 0 || !container.startsWith('mov')) return true;
  return (await packetsOf(path, index)).some(({ pts, dts }) => pts !== dts);
}

async function timedPictures(
  path: string,
  { index }: StatedStream,
  decoded: Pictures,
  presented: boolean,
): Promise<Pictures> {
  if (!presented) return rising(decoded, await packetsOf(path, index));
  return withoutBroken(decoded, await firstWhole(path, index));
}

/**
 * ffmpeg takes decoding times in place of such presentation times. It has none for the last frames, and the first one is shown from
 * the earliest packet that no edit list hides.
 */
function rising({ times, bytes }: Pictures, packets: readonly Packet[]): Pictures {
  const usual = (times[2] ?? 0) - (times[1] ?? 0);
  const start = Math.min(...packets.filter(({ shown }) => shown).map(({ pts }) => pts));
  const risen = [start];
  for (const time of times.slice(1)) {
    const last = risen.at(-1) ?? Number.NEGATIVE_INFINITY;
    risen.push(time > last ? time : last + usual);
  }
  return { times: risen, bytes };
}

interface Packet {
  pts: number;
  dts: number;
  duration: number;
  size: number;
  /** No edit list hides it. */
  shown: boolean;
  /** Its side data has a decoder drop samples of it. */
  skips: boolean;
}

function timesByOrder(decoded: readonly number[], packets: readonly Packet[], rate: number | null) {
  const times = packets.filter(({ size }) => size > 0).map(({ dts }) => dts);
  if (times.length === decoded.length && times.every(Number.isFinite)) return times;
  return rate === null ? decoded : decoded.map((_, index) => index / rate);
}

type PrintedPacket = Record<'pts_time' | 'dts_time' | 'duration_time' | 'size' | 'flags', string> & {
  side_data_list?: { skip_samples?: number }[];
};

async function packetsOf(path: string, index: number): Promise<Packet[]> {
  const found = await inspect<{ packets?: PrintedPacket[] }>(
    path,
    ...['-select_streams', `${index}`, '-show_entries'],
    'packet=pts_time,dts_time,duration_time,size,flags:packet_side_data',
  );
  return (found?.packets ?? []).map(({ pts_time, dts_time, duration_time, size, flags, side_data_list }) => ({
    pts: Number(pts_time ?? Number.NaN),
    dts: Number(dts_time ?? Number.NaN),
    duration: Number(duration_time ?? 0),
    size: Number(size),
    shown: !flags?.includes('D'),
    skips: (side_data_list ?? []).some(({ skip_samples }) => Number(skip_samples ?? 0) > 0),
  }));
}

function rateOf({ avg_frame_rate, r_frame_rate }: StatedStream): number | null {
  for (const text of [avg_frame_rate, r_frame_rate]) {
    const [over = 0, under = 0] = (text ?? '').split('/').map(Number);
    if (over > 0 && under > 0) return over / under;
  }
  return null;
}
