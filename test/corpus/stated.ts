import { inspect } from './decode.ts';

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

export interface StatedStream {
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
  packets: readonly Packet[];
}

/** Times and durations in seconds. */
export interface Packet {
  pts: number;
  dts: number;
  duration: number;
  size: number;
  key: boolean;
  /** No edit list hides it. */
  shown: boolean;
  /** Its side data has a decoder drop samples of it. */
  skips: boolean;
}

type PrintedPacket = Record<'pts_time' | 'dts_time' | 'duration_time' | 'size' | 'flags', string> & {
  stream_index: number;
  side_data_list?: { skip_samples?: number }[];
};

/** Reads all of a file once: the start of ffprobe takes longer than a small file. @returns null where it finds no media. */
export async function statedBy(path: string): Promise<Stated | null> {
  const facts = await inspect<{
    format?: { format_name?: string; duration?: string; start_time?: string };
    streams?: Omit<StatedStream, 'packets'>[];
    packets?: PrintedPacket[];
  }>(
    path,
    ...['-show_format', '-show_streams', '-show_entries'],
    'packet=stream_index,pts_time,dts_time,duration_time,size,flags:packet_side_data',
  );
  if (!facts?.format?.format_name) return null;
  const shown = (facts.streams ?? []).filter(
    (stream) => stream.disposition?.attached_pic !== 1 && isDescribed(stream),
  );
  const chosen = (type: string) => {
    const those = shown.filter(({ codec_type }) => codec_type === type);
    const stream = those.find(({ disposition }) => disposition?.default === 1) ?? those[0];
    if (!stream) return null;
    const printed = facts.packets?.filter(({ stream_index }) => stream_index === stream.index) ?? [];
    return { ...stream, packets: printed.map(packetOf) };
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
const isDescribed = ({ codec_type, sample_rate, channels }: Omit<StatedStream, 'packets'>): boolean =>
  codec_type !== 'audio' || (sample_rate !== '0' && channels !== 0);

function packetOf({ pts_time, dts_time, duration_time, size, flags, side_data_list }: PrintedPacket): Packet {
  return {
    pts: Number(pts_time ?? Number.NaN),
    dts: Number(dts_time ?? Number.NaN),
    duration: Number(duration_time ?? 0),
    size: Number(size),
    key: flags?.includes('K') ?? false,
    shown: !flags?.includes('D'),
    skips: (side_data_list ?? []).some(({ skip_samples }) => Number(skip_samples ?? 0) > 0),
  };
}
