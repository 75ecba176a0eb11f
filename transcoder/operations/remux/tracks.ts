import type { OperationInput } from '../../../schema/operations/index.ts';
import { isAudioFormat, type RemuxFormat } from '../../../schema/operations/remux.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Contents, ContentTrack } from '../../model/source/contents.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { holdings, holds, languageIn } from './containers.ts';
import { titleOf } from './tags.ts';

type Input = OperationInput<'remux'>;
type Wish = Input['tracks'][number];

/** A track of the output. */
export interface KeptTrack extends ContentTrack {
  language: string | null;
  title: string | null;
}

/** Data that the muxer creates again: chapters as text, and timecode from a tag. */
const isRewritten = ({ type, tag }: ContentTrack) => type === 'data' && (tag === 'text' || tag === 'tmcd');

/**
 * The tracks to copy. Throws `track_not_found`, also for a track that the request lists and of which nothing can be read, or
 * `codec_unsupported` if the container cannot hold a video or sound track, or one that the request lists.
 */
export function keptTracks(
  { tracks }: Contents,
  input: Input,
  { format, streams }: { format: RemuxFormat; streams: MediaProbe['streams'] },
): { kept: KeptTrack[]; covers: ContentTrack[]; warnings: Warning[] } {
  checkIndices(tracks, input.tracks);
  const wishes = new Map(input.tracks.map((wish) => [wish.index, wish]));
  const soundOnly = isAudioFormat(format) || input.audio_url !== undefined;
  const candidates = tracks.filter((track) => {
    const wish = wishes.get(track.index);
    if (wish?.keep === false || isRewritten(track)) return false;
    return wish !== undefined || !isStripped(track, input.strip);
  });
  const empty = candidates.filter(
    (track) => isEmpty(track, streams) && !(soundOnly && track.type === 'video'),
  );
  for (const track of empty) if (wishes.has(track.index)) throw nothingIn(track, input);
  const left: string[] = [];
  const kept = candidates.filter((track) => {
    if (empty.includes(track)) return false;
    const listed = wishes.has(track.index);
    const fits = holds(format, track) && !(soundOnly && track.type === 'video');
    if (fits) return true;
    if (listed || (track.type === 'audio' && !holds(format, track)) || (track.type === 'video' && !soundOnly))
      throw unsupported(
        track,
        format,
        listed ? input.tracks.findIndex(({ index }) => index === track.index) : null,
      );
    if (track.type !== 'video') left.push(`${track.index} (${nameOf(track)})`);
    return false;
  });
  const sounds = kept.filter(({ type }) => type === 'audio');
  const [first] = [
    ...sounds.filter(({ index }) => wishes.has(index)),
    ...sounds.filter(isDefault),
    ...sounds,
  ];
  const single = holdings[format].single ? kept.filter((one) => one === first || one.type === 'cover') : kept;
  for (const track of kept) {
    if (single.includes(track)) continue;
    if (wishes.has(track.index)) throw onlyOne(track, format);
    left.push(`${track.index} (${nameOf(track)})`);
  }
  const warnings: Warning[] = [];
  if (left.length > 0) {
    const detail = `\`${format}\` cannot hold these tracks of the source, which were left out: ${left.join(', ')}.`;
    warnings.push({ code: 'stream_dropped', detail });
  }
  if (empty.length > 0) {
    const names = empty.map((track) => `${track.index} (${nameOf(track)})`).join(', ');
    const detail = `Nothing can be read of these tracks of the source, which were left out: ${names}.`;
    warnings.push({ code: 'stream_dropped', detail });
  }
  const labeled = labels(
    single.filter(({ type }) => type !== 'cover'),
    wishes,
    input,
    format,
  );
  const covers = single.filter(({ type }) => type === 'cover');
  return { kept: labeled.tracks, covers, warnings: [...warnings, ...labeled.warnings] };
}

function isStripped({ type, tags }: ContentTrack, strip: Input['strip']): boolean {
  if (strip === 'none') return false;
  if (type === 'subtitle') return flight.test(tags.handler_name ?? '');
  return type === 'data' || type === 'attachment' || (strip === 'all' && type === 'cover');
}

/** The subtitles in which DJI drones write where they are each second. */
const flight = /^\s*DJI\b/i;

/**
 * A transport stream states size, sample rate and channels in the packets of a stream alone: one that its table lists and that sends
 * none has a codec and nothing else. Codecs that are not known have neither.
 */
function isEmpty(track: ContentTrack, streams: MediaProbe['streams']): boolean {
  if (!holds(MOST_OPEN, track)) return false;
  const stream = streams.find(({ index }) => index === track.index);
  if (track.type === 'video') return stream?.video === null;
  return track.type === 'audio' && stream?.audio === null;
}

const isDefault = ({ flags }: ContentTrack) => flags.includes('default');

/** Codecs are names of ffmpeg; four-character codes come from the source. */
const nameOf = ({ type, codec, tag }: ContentTrack) =>
  type === 'data' && /^\w{4}$/.test(tag) ? `${type}, ${tag}` : `${type}, ${codec}`;

function checkIndices(tracks: readonly ContentTrack[], wishes: readonly Wish[]): void {
  const at = wishes.findIndex(({ index }) => !tracks.some((track) => track.index === index));
  if (at < 0) return;
  const last = greatest(tracks.map(({ index }) => index));
  const there = last === 0 ? 'only track 0' : `the tracks 0 to ${last}`;
  throw new TaskFailure(
    'track_not_found',
    `\`tracks[${at}].index\` is ${wishes[at]?.index}, but the source has ${there}.`,
    { sourceIndex: 0 },
  );
}

/** The container that holds the most codecs. */
const MOST_OPEN = 'mkv';

const nothingIn = (track: ContentTrack, { tracks }: Input) =>
  new TaskFailure(
    'track_not_found',
    `Nothing can be read of \`tracks[${tracks.findIndex(({ index }) => index === track.index)}]\` (${nameOf(track)}). Leave it out with \`keep: false\`.`,
    { sourceIndex: 0 },
  );

function unsupported(track: ContentTrack, format: RemuxFormat, at: number | null): TaskFailure {
  const named = at === null ? `track ${track.index}` : `\`tracks[${at}]\``;
  const instead = MOST_OPEN !== format && holds(MOST_OPEN, track) ? `Use \`${MOST_OPEN}\`, leave` : 'Leave';
  return new TaskFailure(
    'codec_unsupported',
    `\`format\`: \`${format}\` cannot hold ${named} (${nameOf(track)}). ${instead} the track out with \`keep: false\`, or re-encode it with /transcode.`,
    { sourceIndex: 0 },
  );
}

const onlyOne = (track: ContentTrack, format: RemuxFormat) =>
  new TaskFailure(
    'codec_unsupported',
    `\`format\`: \`${format}\` holds one sound track; \`tracks\` lists track ${track.index} as well.`,
    { sourceIndex: 0 },
  );

/** A default track of the request takes the flag from others of its type. */
function labels(
  tracks: readonly ContentTrack[],
  wishes: ReadonlyMap<number, Wish>,
  { strip }: Input,
  format: RemuxFormat,
): { tracks: KeptTrack[]; warnings: Warning[] } {
  const preferred = new Set(
    tracks.flatMap(({ type, index }) => (wishes.get(index)?.default === true ? [type] : [])),
  );
  const lost: string[] = [];
  const labeled = tracks.map((track): KeptTrack => {
    const wish = wishes.get(track.index);
    const stated = wish?.language ?? languageOf(track);
    const language = stated === null ? null : languageIn(format, stated);
    const title = wish?.title ?? titleOf(track.tags, strip);
    if (stated !== null && stated !== 'und' && language === null)
      lost.push(`the language of track ${track.index}`);
    if (title && !holdings[format].titles) lost.push(`the title of track ${track.index}`);
    const chosen = wish?.default ?? (preferred.has(track.type) ? false : isDefault(track));
    const flags = track.flags.filter((name) => carried.includes(name));
    return {
      ...track,
      ...{ language, title: title && holdings[format].titles ? title : null },
      flags: chosen ? ['default', ...flags] : flags,
    };
  });
  const detail = `\`${format}\` cannot hold ${lost.join(', ')}.`;
  return { tracks: labeled, warnings: lost.length > 0 ? [{ code: 'metadata_dropped', detail }] : [] };
}

/** Flags besides `default` that say for whom a track is. */
const carried = [
  ...['dub', 'original', 'comment', 'lyrics', 'karaoke', 'forced', 'hearing_impaired', 'visual_impaired'],
  ...['clean_effects', 'captions', 'descriptions'],
];

function languageOf({ tags }: ContentTrack): string | null {
  const language = tags.language ?? tags.LANGUAGE;
  const stated = language !== undefined && /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8})*$/.test(language);
  return stated && language !== 'und' ? language : null;
}
