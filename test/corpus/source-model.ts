import { readFile } from 'node:fs/promises';
import { decode, inspect, PICTURE_BYTES, type Pictures, type Sound } from './decode.ts';
import { withoutGarbage } from './mp3-garbage.ts';
import { endOf, hasOnlyNumbers, laidAs, ROUNDING_SECONDS, soundOf } from './source-sound.ts';
import type { Family, Packet, Stated, StatedStream } from './stated.ts';

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
  /** ffmpeg decoded everything without a word, and frames in the order of their times: it gives others the time of the next one. */
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
  /** The color matrix, as ffmpeg's `scale` names it. */
  matrix: string;
}

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
  const presented = video === null || hasPresentationTimes(video, family);
  const decoded = await decode(path, {
    ...{ video: video?.index, audio: audio?.index },
    ...{ presented, laid: audio ? laidAs(audio, family) : 'timed' },
  });
  const timed = video && decoded.pictures && (await timedPictures(path, video, decoded.pictures, presented));
  const shown = video && timed && picturesOf(video, family, timed);
  const heard = audio && (await soundOf(path, audio, family, decoded.sound));
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
    clean:
      decoded.complaints === '' &&
      (shown?.times ?? []).every(
        (time, index, times) => time > (times[index - 1] ?? Number.NEGATIVE_INFINITY),
      ) &&
      (audio === null || (await hasOnlyNumbers(path, audio))),
  };
}

function picturesOf(video: StatedStream, { container }: Family, decoded: Pictures): SourcePictures {
  const { packets } = video;
  const untimed = UNTIMED.has(container) && (video.has_b_frames ?? 0) + Number(container !== 'avi') > 0;
  const times = untimed ? timesByOrder(decoded.times, packets, rateOf(video)) : decoded.times;
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

/** ffmpeg decodes pictures before the first keyframe too, though they refer to ones that are missing; ffprobe leaves them out. */
function withoutBroken({ times, bytes }: Pictures, first: number | null): Pictures {
  const broken = first === null ? 0 : times.findIndex((time) => time >= first - 1e-4);
  if (broken <= 0 || broken > MOST_BROKEN) return { times, bytes };
  return { times: times.slice(broken), bytes: bytes.subarray(broken * PICTURE_BYTES) };
}

/** Whether the first packet is a keyframe, and none behind it is shown before it. */
const beginsWhole = ([first, ...others]: readonly Packet[]): boolean =>
  first?.key === true && others.every(({ pts }) => pts >= first.pts);

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

/** AVI with B-frames and raw streams have no presentation times: the frame that is shown n-th stands where the n-th packet does. */
const UNTIMED = new Set(['avi', 'h264', 'hevc', 'mpegvideo', 'm4v']);

/** Containers of both times; of others, ffmpeg makes up one of them. */
const WITH_BOTH_TIMES = /^(mov|flv|mpegts)/;

/** Muxers that know no presentation times write decoding times in their place. */
function hasPresentationTimes({ has_b_frames = 0, packets }: StatedStream, { container }: Family): boolean {
  if (has_b_frames === 0 || !WITH_BOTH_TIMES.test(container)) return true;
  return packets.some(({ pts, dts }) => pts !== dts);
}

async function timedPictures(
  path: string,
  { index, packets }: StatedStream,
  decoded: Pictures,
  presented: boolean,
): Promise<Pictures> {
  if (!presented) return rising(decoded, packets);
  if (beginsWhole(packets)) return decoded;
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

function timesByOrder(decoded: readonly number[], packets: readonly Packet[], rate: number | null) {
  const times = packets.filter(({ size }) => size > 0).map(({ dts }) => dts);
  if (times.length === decoded.length && times.every(Number.isFinite)) return times;
  return rate === null ? decoded : decoded.map((_, index) => index / rate);
}

function rateOf({ avg_frame_rate, r_frame_rate }: StatedStream): number | null {
  for (const text of [avg_frame_rate, r_frame_rate]) {
    const [over = 0, under = 0] = (text ?? '').split('/').map(Number);
    if (over > 0 && under > 0) return over / under;
  }
  return null;
}
