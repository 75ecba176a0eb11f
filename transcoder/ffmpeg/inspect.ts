import { filtersText } from '../model/filter-text.ts';
import { decimal } from '../model/numbers/decimal.ts';
import type { Interval } from '../model/numbers/interval.ts';
import type { AudioStream } from '../model/source/media-probe.ts';
import type { SourceFile } from '../model/source/media-source.ts';
import { soundSince } from '../model/source/sound-times.ts';
import type { VideoStream } from '../model/source/video-stream.ts';
import { type Filter, withoutGapsOptions } from '../model/steps.ts';
import {
  croppingArguments,
  type DecodedSource,
  openArguments,
  reorderingArguments,
  soundArguments,
  timeArguments,
} from './arguments.ts';
import { blackChain } from './black-frames.ts';
import { loudnessMeter } from './loudness-meter.ts';

const quiet = ['-v', 'error', '-of', 'json=c=1'];

const intervalText = (intervals: readonly Interval[]) =>
  intervals
    .map(([from, to]) => `${from === null ? '' : decimal(from)}%${to === null ? '' : decimal(to)}`)
    .join(',');

/** Container, streams and chapters, without decoding. */
export function streamArguments(source: SourceFile): string[] {
  return [
    ...[...quiet, ...openArguments(source), '-show_format', '-show_streams', '-show_chapters'],
    `file:${source.path}`,
  ];
}

/** Codecs and their configurations of all sound tracks, as hexadecimal dumps. */
export function configurationArguments(source: SourceFile): string[] {
  return [
    ...[...quiet, ...openArguments(source), '-select_streams', 'a', '-show_data'],
    ...['-show_entries', 'stream=index,codec_name,extradata', `file:${source.path}`],
  ];
}

/** Side data of a stream's first frame, where HEVC carries HDR10 metadata. */
export function firstFrameArguments(source: SourceFile, stream: number): string[] {
  return [
    ...[...quiet, ...openArguments(source), '-select_streams', `${stream}`],
    ...['-show_frames', '-read_intervals', '%+#1', `file:${source.path}`],
  ];
}

/** Timestamps of a stream's packets; each interval is read from the preceding keyframe. */
export function packetArguments(
  source: SourceFile,
  stream: number,
  intervals: readonly Interval[],
): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...openArguments(source), '-select_streams', `${stream}`],
    ...['-show_entries', 'packet=pts,dts,duration,flags'],
    ...(intervals.length > 0 ? ['-read_intervals', intervalText(intervals)] : []),
    `file:${source.path}`,
  ];
}

/** Timestamps of all packets, and the samples that a decoder skips at the start and end of each. */
export function extentArguments(source: SourceFile): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...openArguments(source), '-show_entries'],
    ...['packet=stream_index,pts,dts,duration,flags:packet_side_data=skip_samples,discard_padding'],
    `file:${source.path}`,
  ];
}

/** Timestamps of a stream's decodable frames. */
export function decodedArguments(
  source: DecodedSource,
  stream: number,
  intervals: readonly Interval[],
): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...timeArguments(source), ...openArguments(source)],
    ...['-select_streams', `${stream}`, '-show_entries', 'frame=best_effort_timestamp'],
    ...(intervals.length > 0 ? ['-read_intervals', intervalText(intervals)] : []),
    `file:${source.path}`,
  ];
}

/** The times that the first frames of a stream have, in ticks, in the order of the decoder's output. */
export function firstTimesArguments(
  source: SourceFile,
  { index, codec }: Pick<VideoStream, 'index' | 'codec'>,
  frames: number,
): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...reorderingArguments(codec), ...openArguments(source)],
    ...['-select_streams', `${index}`],
    ...['-show_entries', 'frame=pts', '-read_intervals', `%+#${frames}`, `file:${source.path}`],
  ];
}

/** Times of a stream's frames and whether they are keyframes, in the order of the decoder's output. */
export function frameArguments(source: DecodedSource, stream: number): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...timeArguments(source), ...openArguments(source)],
    ...['-select_streams', `${stream}`, '-show_entries', 'frame=key_frame,best_effort_timestamp'],
    `file:${source.path}`,
  ];
}

/** Prints the stream and the decoding time of every packet, in seconds. */
export function clockArguments(source: SourceFile): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...openArguments(source)],
    ...['-show_entries', 'packet=stream_index,dts_time', `file:${source.path}`],
  ];
}

/** Reads every packet; ffprobe reports on stderr if the file ends before its index says. */
export function wholenessArguments(source: SourceFile): string[] {
  return [
    ...[...quiet, ...openArguments(source), '-count_packets', '-show_entries', 'stream=nb_read_packets'],
    `file:${source.path}`,
  ];
}

/** Timestamps of what is decoded from an audio stream's first packets. */
export function firstDecodedArguments(source: SourceFile, stream: number): string[] {
  const all = decodedArguments({ ...source, presented: true }, stream, []);
  return [...all.slice(0, -1), '-read_intervals', '%+#64', ...all.slice(-1)];
}

/**
 * Decodes a stream up to its first frame, which becomes a line on stdout.
 * @param hidden Whether an edit list may hide it, which only mp4 and QuickTime have.
 */
export function firstFrameDecoded(source: SourceFile, stream: number, hidden = false): string[] {
  const opened = [...openArguments(source), ...(hidden ? ['-ignore_editlist', '1'] : [])];
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', ...opened, '-i', `file:${source.path}`],
    ...['-map', `0:${stream}`, '-frames:v', '1', '-frames:a', '1', '-f', 'framecrc', 'pipe:1'],
  ];
}

/**
 * Decodes everything. Errors are on stderr; stdout has the number of decoded frames next to the declared one. The codec is not known here;
 * of all decoders, only that of H.264 looks at the option for it.
 */
export function soundnessArguments(source: SourceFile): string[] {
  return [
    ...[...quiet, ...reorderingArguments('h264'), ...openArguments(source), '-count_frames', '-show_entries'],
    ...['stream=codec_type,nb_read_frames,nb_frames,duration,avg_frame_rate', `file:${source.path}`],
  ];
}

/** Prints the time, width and height of each keyframe of the pictures that are shown by default. */
export function sizesArguments(source: SourceFile): string[] {
  return [
    ...['-v', 'error', '-of', 'csv=p=0', ...openArguments(source), '-skip_frame', 'nokey'],
    ...['-select_streams', 'V:0', '-show_entries', 'frame=best_effort_timestamp_time,width,height'],
    `file:${source.path}`,
  ];
}

/** Prints both times of each packet of these pictures, and the presentation time of each frame as it comes out of the decoder. */
export function orderArguments(source: SourceFile): string[] {
  return [
    ...['-v', 'error', '-of', 'csv', ...reorderingArguments('h264'), ...openArguments(source)],
    ...['-select_streams', 'V:0', '-show_entries', 'packet=pts_time,dts_time:frame=pts_time'],
    `file:${source.path}`,
  ];
}

/**
 * Everything that verification of a result needs, in one run: stream facts, the first decoded frames, and the frames
 * from `lastFrom` on.
 */
export function checkArguments(path: string, format: string, lastFrom: number | null): string[] {
  const show = [
    'stream=index,codec_type,codec_name,width,height,pix_fmt,start_time,duration,nb_frames,time_base',
    'stream_tags=DURATION',
    'chapter=start_time,end_time',
    'chapter_tags=title',
    'frame=stream_index,pts_time,best_effort_timestamp_time,pkt_duration_time,duration_time',
  ].join(':');
  return [
    ...[...quiet, '-f', format, '-show_entries', show],
    ...['-read_intervals', `%+#24${lastFrom === null ? '' : `,${decimal(lastFrom)}%`}`],
    `file:${path}`,
  ];
}

/**
 * Measures one stream, its EBU R 128 loudness by default; what the meter reports is at the end of stderr.
 * @param before Filters that make it what is measured: meters take no channels without a layout, as in Speex.
 * @param stamped Whether these filters see the timestamps of the file, not times from its start on.
 */
export function meterArguments(
  source: SourceFile,
  stream: number,
  before: readonly Filter[],
  { meter = loudnessMeter, stamped = false }: { meter?: string; stamped?: boolean } = {},
): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'info', '-progress', 'pipe:1', '-vn'],
    ...(stamped ? ['-copyts'] : []),
    ...soundArguments,
    ...openArguments(source),
    ...['-i', `file:${source.path}`, '-map', `0:${stream}`],
    ...['-af', [...before.map((one) => filtersText([one])), meter].join(','), '-f', 'null', '-'],
  ];
}

/** Writes the samples of sound from `origin` on as interleaved 16-bit PCM. A late start and gaps become silence. */
export function samplesArguments(
  source: SourceFile,
  audio: AudioStream,
  origin: number,
  after: readonly Filter[] = [],
  to = 'pipe:1',
): string[] {
  const filled = { name: 'aresample', options: withoutGapsOptions };
  const graph = `[0:${audio.index}]${filtersText([...soundSince(audio, origin), filled, ...after])}[a]`;
  return [
    ...['-hide_banner', '-nostdin', '-y', '-v', 'error', '-copyts', '-vn'],
    ...soundArguments,
    ...openArguments(source),
    ...['-i', `file:${source.path}`, '-filter_complex', graph, '-map', '[a]'],
    ...['-c:a', 'pcm_s16le', '-f', 's16le', to],
  ];
}

/** Prints the timestamp and share of black pixels of each frame from the keyframe before `from` up to `to`. */
export function blackArguments(
  source: DecodedSource,
  stream: number,
  seek: number | null,
  span: readonly [number, number],
  before: readonly Filter[],
): string[] {
  const graph = [
    `[0:${stream}]${filtersText(before)}`,
    `trim=start=${decimal(span[0])}:end=${decimal(span[1])}`,
    blackChain,
    'metadata=mode=print:key=lavfi.blackframe.pblack:file=-',
    'nullsink',
  ].join(',');
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-copyts'],
    ...(seek === null ? [] : ['-noaccurate_seek', '-seek_timestamp', '1', '-ss', decimal(seek)]),
    ...timeArguments(source),
    ...croppingArguments(source),
    ...openArguments(source),
    ...['-i', `file:${source.path}`, '-filter_complex', graph, '-f', 'null', '-'],
  ];
}

/** Unit of the times that `smallFramesArguments` prints, in seconds. */
const TIMES = '1/1000000';

/**
 * Writes all frames as raw RGB of this size to stdout, and the time of each to `times`.
 * @param before Filters for the whole frames.
 */
export function smallFramesArguments(
  source: DecodedSource,
  stream: number,
  before: readonly Filter[],
  { width, height, coded, times }: { width: number; height: number; coded: boolean; times: string },
): string[] {
  const small = [
    ...before,
    { name: 'scale', options: { w: width, h: height, flags: 'area' } },
    { name: 'format', options: { pix_fmts: 'rgb24' } },
    { name: 'settb', options: { expr: TIMES } },
  ];
  const graph = `[0:${stream}]${filtersText(small)},split[frames][times]`;
  const raw = ['-fps_mode', 'passthrough', '-enc_time_base', TIMES, '-c:v', 'rawvideo'];
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-copyts', '-an', '-sn'],
    ...(coded ? ['-noautorotate'] : []),
    ...timeArguments(source),
    ...croppingArguments(source),
    ...openArguments(source),
    ...['-i', `file:${source.path}`, '-filter_complex', graph],
    ...['-map', '[frames]', ...raw, '-f', 'rawvideo', 'pipe:1'],
    ...['-map', '[times]', ...raw, '-f', 'framecrc', `file:${times}`],
  ];
}
