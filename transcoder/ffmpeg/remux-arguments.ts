import { decimal } from '../model/numbers/decimal.ts';
import type { SourceFile } from '../model/source/media-source.ts';
import type { CoverFormat, Remux, RemuxTrack } from '../model/steps.ts';
import { EDIT_TICKS, largeWav, muxerOf, openArguments } from './arguments.ts';

/** A picture in the job's directory. */
interface CoverFile {
  file: string;
  still: CoverFormat;
}

const quiet = ['-hide_banner', '-nostdin', '-y', '-v', 'error', '-nostats'];

/** Writes the packet of an attached picture to a file. */
export function coverArguments(source: SourceFile, stream: number, file: string): string[] {
  return [
    ...[...quiet, ...openArguments(source), '-i', `file:${source.path}`, '-map', `0:${stream}`],
    ...['-map_metadata', '-1', '-c', 'copy', '-frames:v', '1', '-update', '1', '-f', 'image2', file],
  ];
}

/**
 * Copies every packet. Tags and chapters come from a file in ffmpeg's format, because no text of a caller may be an argument; each
 * of its streams describes the track of the same index.
 */
export function remuxArguments(step: Remux, source: SourceFile, covers: readonly CoverFile[]): string[] {
  const attached = step.container === 'mkv' ? covers : [];
  const pictures = step.container === 'mkv' ? [] : covers;
  const fonts = step.tracks.filter(({ type }) => type === 'attachment').length;
  return [
    ...[...quiet, '-progress', 'pipe:1', '-stats_period', '0.25', '-copyts'],
    ...(step.zero ? ['-itsoffset', decimal(-step.zero)] : []),
    ...[...openArguments(source), '-i', `file:${source.path}`],
    ...['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i', `file:${step.tags}`],
    ...pictures.flatMap(({ file, still }) => [
      ...['-protocol_whitelist', 'file', '-f', `${still}_pipe`, '-i', `file:${file}`],
    ]),
    ...step.tracks.flatMap(({ stream }) => ['-map', `0:${stream}`]),
    ...pictures.flatMap((_, at) => ['-map', `${2 + at}:0`]),
    ...['-c', 'copy', '-copyinkf', '-map_metadata', '1', '-map_chapters', '1'],
    ...step.tracks.flatMap((track, at) => trackArguments(track, at, step.container)),
    ...pictures.flatMap((_, at) => [`-disposition:${step.tracks.length + at}`, 'attached_pic']),
    ...pictures.flatMap((_, at) => [`-metadata:s:${step.tracks.length + at}`, 'comment=Cover (front)']),
    ...attached.flatMap(({ file, still }, at) => [
      ...['-attach', `file:${file}`, `-metadata:s:t:${fonts + at}`, `mimetype=image/${still}`],
      ...[`-metadata:s:t:${fonts + at}`, `filename=cover.${still === 'jpeg' ? 'jpg' : still}`],
    ]),
    ...muxing(step),
    `file:${step.file}`,
  ];
}

const meanDuration = 'max((DTS-STARTDTS)/N\\,1)';

/**
 * In mp4, the edit list hides what begins where the last packet ends, so a packet without a duration gets one. ffmpeg states none for
 * the last one of Opus or of data that begins late. That of Opus lasts as long as the one before it, that of data the mean so far, like
 * frames of H.264 whose header has a clock in place of a frame rate and whose times fit no usual rate.
 */
const lasting: Partial<Record<RemuxTrack['type'], string>> = {
  audio: 'max(1\\,PREV_INDURATION)',
  video: meanDuration,
  data: meanDuration,
};

/** Only Matroska needs a delay, whose packets get there in milliseconds; `TB` of ffmpeg 5 is that of the source. */
function trackArguments(
  { type, tag, flags, delay }: RemuxTrack,
  at: number,
  container: Remux['container'],
): string[] {
  const lasts = isMp4(container) ? lasting[type] : undefined;
  return [
    ...[`-map_metadata:s:${at}`, `1:s:${at}`],
    ...[`-disposition:${at}`, flags.length > 0 ? flags.join('+') : '0'],
    ...(tag === null ? [] : [`-tag:${at}`, tag]),
    ...(delay !== 0 ? [`-bsf:${at}`, `setts=ts=TS+${decimal(1000 * delay)}`] : []),
    ...(delay === 0 && lasts
      ? [`-bsf:${at}`, `setts=pts=PTS:dts=DTS:duration=if(DURATION\\,DURATION\\,${lasts})`]
      : []),
  ];
}

const isMp4 = (container: Remux['container']) => ['mp4', 'mov', 'm4a'].includes(container);

function muxing({ container, keyed, seconds }: Remux): string[] {
  const flags = keyed ? '+faststart+use_metadata_tags' : '+faststart';
  return [
    // Without it, Dolby Vision configuration and spherical video are left out, and ffmpeg up to version 5 refuses FLAC in mp4.
    ...['-strict', 'experimental', '-bitexact', '-max_muxing_queue_size', '9999'],
    ...(isMp4(container) ? ['-movflags', flags, '-movie_timescale', EDIT_TICKS] : []),
    ...largeWav(container, seconds),
    ...['-f', muxerOf(container)],
  ];
}
