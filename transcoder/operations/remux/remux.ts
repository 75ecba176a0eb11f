import type { OperationInput } from '../../../schema/operations/index.ts';
import { isAudioFormat, type RemuxFormat, remuxFormats } from '../../../schema/operations/remux.ts';
import type { Warning } from '../../../schema/task/task.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import { isOlder } from '../../model/ffmpeg-version.mjs';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Planner, PlanRequest } from '../../model/plan.ts';
import type { Chapter, Contents, ContentTrack } from '../../model/source/contents.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { isTimedByPackets } from '../../model/source/video-stream.ts';
import type { CoverFormat, Remux } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { uprightSize } from '../plan/geometry.ts';
import { type Made, planOf, shownWhole } from '../plan/output.ts';
import { audioFile, demuxerFor, videoFile } from '../plan/output-files.ts';
import { audioOf, lengthOf, micros, movingOf, shown } from '../plan/require-streams.ts';
import { tagsFile } from '../plan/tags-file.ts';
import { fromStart } from '../plan/tracks/chapters.ts';
import { coverOf, holdings } from './containers.ts';
import { fileTags, fittingTags, furtherTags, keptChapters, keptTags, needsKeys, withSet } from './tags.ts';
import { type KeptTrack, keptTracks } from './tracks.ts';

type Input = OperationInput<'remux'>;

const TAGS = 'tags.txt';

/** Containers whose tags and subtitles are not read. */
const unreadTags: readonly string[] = ['asf', 'mpg', 'dv'];

export const remux: Planner<Input> = {
  remuxedFor: 'nothing',
  analyses: () => [{ kind: 'contents', source: 0 }],
  plan: (request) => {
    const { input, probes, facts, capabilities } = request;
    const probe = probes[0];
    if (!probe || !facts.contents) throw new Error('a remux needs a source and its contents');
    checkSource(input, probe);
    const format = input.format ?? formatOf(input, probe);
    const { kept, covers, warnings } = keptTracks(facts.contents, input, { format, streams: probe.streams });
    const tracks = [...kept.filter(({ type }) => type !== 'attachment'), ...kept.filter(isAttachment)];
    checkKept(tracks, input, probe, format);
    const end = endOf(tracks, probe);
    const given = chaptersOf(request, facts.contents, end);
    const chapters = isSequential(format) ? fromStart(given) : given;
    const tags = fittingTags(
      format,
      withSet(keptTags(fileTags(facts.contents, probe.format), input.strip), input.set),
    );
    const pictures = coversOf(request, covers, format);
    const step: Remux = {
      ...{ kind: 'remux', file: `out.${format}`, container: format, source: 0 },
      ...{ format: demuxerFor(format), zero: probe.origin },
      tracks: tracks.map((track) => ({
        ...{ stream: track.index, type: track.type === 'cover' ? 'video' : track.type },
        ...{ tag: tagOf(track, format, probe), flags: track.flags },
        delay: delayOf(track, format, capabilities),
      })),
      covers: pictures.fitting,
      ...{ tags: TAGS, keyed: needsKeys(format, tags.fitting), seconds: end },
    };
    const text = tagsFile(
      tags.fitting,
      tracks.map((track) => trackTags(track, { from: probe.format, format, strip: input.strip })),
      holdings[format].chapters ? chapters : [],
    );
    const lost = input.strip === 'none' && probe.format === 'matroska' && !isMatroska(format);
    const further = lost ? tracks.filter((track) => Object.keys(furtherTags(track.tags)).length > 0) : [];
    const dropped = droppedOf(format, tags.left, {
      ...{ chapters, further, covers: pictures.left, probe },
    });
    return planOf({
      steps: [{ kind: 'text', file: TAGS, text }, step],
      ...outcome(step, { format, tracks, probe, end }),
      data: {
        tracks: tracks.map((track, index) => ({
          ...{ index, source_index: track.index, type: track.type, codec: track.codec },
          ...{ language: track.language, title: track.title, default: track.flags.includes('default') },
        })),
        chapters: holdings[format].chapters ? chapters.length : 0,
        covers: pictures.fitting.length,
        tags: Object.keys(tags.fitting),
      },
      ...{ shows: shownWhole(end), warnings: [...warnings, ...dropped] },
    });
  },
};

const isAttachment = ({ type }: ContentTrack) => type === 'attachment';

function checkSource(input: Input, probe: MediaProbe): void {
  lengthOf(probe);
  if (input.audio_url !== undefined || (input.format && isAudioFormat(input.format))) audioOf(probe);
  else movingOf(probe);
}

/** The container of the source, if it can be written. */
function formatOf({ audio_url }: Input, { container, streams }: MediaProbe): RemuxFormat {
  const own = remuxFormats.find((name) => name === container);
  if (audio_url === undefined || (own !== 'mp4' && own !== 'mov')) return own ?? 'mkv';
  const sounds = streams.filter(({ type }) => type === 'audio');
  return sounds.every(({ codec }) => holdings.m4a.audio.includes(codec)) ? 'm4a' : 'mkv';
}

function checkKept(tracks: readonly KeptTrack[], input: Input, probe: MediaProbe, into: RemuxFormat): void {
  const videos = tracks.filter(({ type }) => type === 'video');
  if (videos.length === 0 && !tracks.some(({ type }) => type === 'audio')) {
    throw new TaskFailure('track_not_found', '`tracks` leaves no video or sound track.', { sourceIndex: 0 });
  }
  const { video, audio, format } = probe;
  if (audio?.chained && tracks.some(({ index }) => index === audio.index)) {
    throw new TaskFailure(
      'codec_unsupported',
      'The sound of this Ogg file is several recordings one after another, or was saved from the middle of a stream: its packets do not make one track. Use /transcode with `audio_only`.',
      { sourceIndex: 0 },
    );
  }
  const redescribed = probe.streams.find(
    (stream) =>
      (stream.video ?? stream.audio)?.redescribed && tracks.some(({ index }) => index === stream.index),
  );
  if (redescribed) {
    const what = redescribed.video ? 'video' : 'sound';
    const instead = videos.length > 0 ? '/transcode' : '/transcode with `audio_only`';
    throw new TaskFailure(
      'codec_unsupported',
      `The ${what} of the source consists of clips that are coded differently, each with its own description, of which a copy would keep the first. Use ${instead}.`,
      { sourceIndex: 0 },
    );
  }
  if (into === 'mov' && videos.length > 0 && video?.dolbyVisionOnly !== undefined) {
    throw new TaskFailure(
      'codec_unsupported',
      `\`mov\` cannot hold the video, Dolby Vision profile ${video.dolbyVisionOnly}. Use mp4 or mkv.`,
      { sourceIndex: 0 },
    );
  }
  // The frames of AVI are timed by decoding only.
  const untimed = format === 'avi' && video !== null && !isTimedByPackets(video);
  if (!untimed || videos.length === 0 || input.audio_url !== undefined) return;
  throw new TaskFailure(
    'codec_unsupported',
    'The frames of this AVI have no presentation times, which a copy needs. Use /transcode.',
    { sourceIndex: 0 },
  );
}

/** Seconds from the origin to the end of the last kept track that is seen or heard. */
function endOf(tracks: readonly KeptTrack[], probe: MediaProbe): number {
  const playing = tracks.filter(({ type }) => type === 'video' || type === 'audio');
  const ends = probe.streams.flatMap(({ index, startTime, duration }) =>
    duration === null || !playing.some((track) => track.index === index)
      ? []
      : (startTime ?? probe.origin) + duration - probe.origin,
  );
  return micros(ends.length > 0 ? greatest(ends) : lengthOf(probe));
}

/** Throws `time_out_of_range` if a chapter starts at or after the end. */
function chaptersOf({ input, probes }: PlanRequest<Input>, contents: Contents, end: number): Chapter[] {
  const wanted = input.chapters;
  const origin = probes[0]?.origin ?? 0;
  if (!wanted) {
    // Players take the end of the last one for that of the file.
    return keptChapters(contents.chapters, input.strip).flatMap(({ start, end: stated, title }) => {
      const [from, to] = [Math.max(0, start - origin), Math.min(end, stated - origin)];
      return to > from ? [{ start: from, end: to, title }] : [];
    });
  }
  const late = wanted.findIndex(({ start }) => start >= end);
  if (late >= 0) {
    throw new TaskFailure(
      'time_out_of_range',
      `\`chapters[${late}].start\` is ${shown(wanted[late]?.start ?? 0)} s, but the output is ${shown(end)} s long.`,
    );
  }
  return wanted.map(({ start, title }, at) => ({ start, end: wanted[at + 1]?.start ?? end, title }));
}

/** The chapter track of these has no gap before its first chapter. */
const isSequential = (format: RemuxFormat) => format === 'mp4' || format === 'mov' || format === 'm4a';

/** The cover of the request replaces the ones of the source. */
function coversOf(
  { input, probes }: PlanRequest<Input>,
  covers: readonly ContentTrack[],
  format: RemuxFormat,
): { fitting: Remux['covers']; left: boolean } {
  if (input.cover_url === undefined) {
    const fitting = covers.flatMap((cover) => {
      const still = coverOf(cover);
      return still ? [{ stream: cover.index, still, bare: input.strip !== 'none' }] : [];
    });
    return { fitting, left: false };
  }
  const still = coverFormats[probes[1]?.format ?? ''];
  if (!still) {
    throw new TaskFailure('source_not_media', '`cover_url` must be a JPEG or PNG picture.', {
      sourceIndex: 1,
    });
  }
  return holdings[format].covers
    ? { fitting: [{ source: 1, still, bare: true }], left: false }
    : { fitting: [], left: true };
}

const coverFormats: Readonly<Record<string, CoverFormat>> = { jpeg_pipe: 'jpeg', png_pipe: 'png' };

/** Apple's players open HEVC only under this name; a file of the same family keeps its own. */
function tagOf({ type, codec, tag }: ContentTrack, format: RemuxFormat, probe: MediaProbe): string | null {
  if (type === 'data') return tag;
  if (codec !== 'hevc') return null;
  const mp4 = format === 'mp4' || format === 'mov';
  // The muxer of Matroska refuses the names that mp4 has for Dolby Vision.
  return mp4 === (probe.format === 'mov') ? null : 'hvc1';
}

const isMatroska = (format: RemuxFormat) => format === 'mkv' || format === 'webm';

/** Players subtract the pre-skip that Matroska states for Opus from its times; before version 6, the muxer of ffmpeg does not add it. */
const delayOf = ({ preSkip = 0 }: ContentTrack, format: RemuxFormat, { version }: Capabilities): number =>
  isMatroska(format) && isOlder(version, 6) ? preSkip : 0;

function trackTags(
  track: KeptTrack,
  { from, format, strip }: { from: MediaProbe['format']; format: RemuxFormat; strip: Input['strip'] },
): Record<string, string> {
  const mp4 = format === 'mp4' || format === 'mov' || format === 'm4a';
  const { timecode, filename, mimetype } = track.tags;
  const alpha = track.tags.alpha_mode ?? track.tags.ALPHA_MODE;
  return {
    ...(strip === 'none' && from === 'matroska' && isMatroska(format) ? furtherTags(track.tags) : {}),
    ...(track.language === null ? {} : { language: track.language }),
    ...(track.title === null ? {} : { [mp4 ? 'handler_name' : 'title']: track.title }),
    ...(timecode !== undefined && strip === 'none' && track.type === 'video' ? { timecode } : {}),
    ...(alpha === undefined ? {} : { alpha_mode: alpha }),
    ...(track.type === 'attachment'
      ? { filename: filename ?? 'attachment', mimetype: mimetype ?? UNKNOWN }
      : {}),
  };
}

const UNKNOWN = 'application/octet-stream';

/** Names of tags in a warning. */
const MOST_NAMES = 10;

function droppedOf(
  format: RemuxFormat,
  tags: readonly string[],
  {
    chapters,
    further,
    covers,
    probe,
  }: { chapters: readonly Chapter[]; further: readonly KeptTrack[]; covers: boolean; probe: MediaProbe },
): Warning[] {
  // Names come from the source, too.
  const names = tags.filter((name) => /^[\w.-]{1,60}$/.test(name)).slice(0, MOST_NAMES);
  const more = tags.length - names.length;
  const lost = [
    ...(tags.length === 0 ? [] : [`the tags ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`]),
    ...(chapters.length > 0 && !holdings[format].chapters ? ['chapters'] : []),
    ...(further.length > 0 ? [`the tags of track ${further.map(({ index }) => index).join(', ')}`] : []),
    ...(covers ? ['a cover'] : []),
  ];
  const warnings: Warning[] = [];
  if (lost.length > 0)
    warnings.push({ code: 'metadata_dropped', detail: `\`${format}\` cannot hold ${lost.join(' or ')}.` });
  if (unreadTags.includes(probe.container)) {
    const detail = `Tags, chapters and subtitles of ${probe.container} files are not read, so the output has none.`;
    warnings.push({ code: 'metadata_dropped', detail });
  }
  return warnings;
}

function outcome(
  { file, covers }: Remux,
  {
    format,
    tracks,
    probe,
    end,
  }: { format: RemuxFormat; tracks: KeptTrack[]; probe: MediaProbe; end: number },
) {
  const pictured = tracks.some(({ type }) => type === 'video');
  const shownVideo = probe.streams.find(
    ({ index, video }) => video && tracks.some((track) => track.index === index),
  )?.video;
  const video = pictured ? (shownVideo ?? probe.video) : null;
  const planned =
    pictured || format === 'mp4' || format === 'mov'
      ? videoFile(format as 'mp4')
      : audioFile(format as 'm4a');
  const made: Made = {
    file: { ...planned, file },
    media: {
      ...{ format: demuxerFor(format), video: null, audio: null },
      ...{ streams: tracks.map(({ codec }) => codec), covers: covers.length },
      ...{ duration: end, tolerance: video?.frameDuration ?? TOLERANCE },
      ...{ endsTogether: false, slack: LEAD },
    },
  };
  return {
    files: [made],
    size: video && uprightSize(video),
    fps: video && 1 / video.frameDuration,
  };
}

/** Seconds that Matroska may start later, and that sound may end within its last packet. */
const LEAD = 0.15;
const TOLERANCE = 0.05;
