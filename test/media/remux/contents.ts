import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';

interface Stream {
  codec: string | undefined;
  type: string;
  tags: Record<string, string>;
  flags: string[];
}

interface Contents {
  tags: Record<string, string>;
  streams: Stream[];
  /** Creation times of the file and its streams. */
  created: string[];
  chapters: { start: number; end: number; title: string | undefined }[];
}

/** Names that say how a file was written. */
const technical = /^(encoder|vendor_id|major_brand|minor_version|compatible_brands|DURATION|creation_time)$/;

const withoutTechnical = (tags: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(tags).filter(([name]) => !technical.test(name)));

interface Printed {
  codec_name?: string;
  codec_type: string;
  tags?: Record<string, string>;
  disposition: Record<string, number>;
}

interface Timed {
  start_time: string;
  end_time: string;
  tags?: { title?: string };
}

/** Tags, streams and chapters of a file, as ffprobe reads them. */
export async function contentsOf(path: string): Promise<Contents> {
  const { stdout } = await run(programs, 'ffprobe', [
    ...['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_chapters', path],
  ]);
  const { format, streams, chapters } = JSON.parse(stdout);
  const created = [format, ...streams].flatMap(({ tags }) => tags?.creation_time ?? []);
  return {
    created,
    tags: withoutTechnical(format.tags),
    streams: streams.map(({ codec_name, codec_type, tags, disposition }: Printed) => ({
      ...{ codec: codec_name, type: codec_type, tags: withoutTechnical(tags) },
      flags: Object.keys(disposition).filter((name) => disposition[name] === 1),
    })),
    chapters: chapters.map(({ start_time, end_time, tags }: Timed) => ({
      ...{ start: Number(start_time), end: Number(end_time), title: tags?.title },
    })),
  };
}

/** For each stream of a file, hash, presentation and decoding time of every packet. */
export async function tracksOf(path: string): Promise<string[][]> {
  const { stdout } = await run(programs, 'ffprobe', [
    ...['-v', 'error', '-of', 'json=c=1', '-show_data_hash', 'md5', '-show_packets'],
    ...['-show_entries', 'packet=stream_index,pts_time,dts_time,flags,data_hash', path],
  ]);
  const tracks: string[][] = [];
  for (const { stream_index: index, pts_time, dts_time, flags, data_hash } of JSON.parse(stdout).packets) {
    tracks[index] ??= [];
    tracks[index].push(`${pts_time} ${dts_time} ${flags} ${data_hash}`);
  }
  return tracks;
}
