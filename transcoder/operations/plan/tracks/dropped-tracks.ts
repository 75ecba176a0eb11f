import type { Warning } from '../../../../schema/task/task.ts';
import { MOST_CHAPTERS } from '../../../model/source/contents.ts';
import type { MediaProbe, StreamFacts } from '../../../model/source/media-probe.ts';

/** Text tracks whose cues can be read and moved; others are pictures. */
const readable: readonly string[] = ['mov_text', 'subrip', 'srt', 'webvtt', 'ass', 'ssa', 'text'];

export const textsOf = ({ streams }: MediaProbe): number[] =>
  streams
    .filter(({ type, codec }) => type === 'subtitle' && readable.includes(codec))
    .map(({ index }) => index);

/** Probes of the same source that choose one of its other sound tracks each. */
export const othersOf = (probe: MediaProbe): MediaProbe[] =>
  probe.still
    ? []
    : probe.streams.flatMap(({ audio }) =>
        audio && audio.index !== probe.audio?.index ? [{ ...probe, audio }] : [],
      );

interface Kept {
  /** Number of further sound tracks in the output. */
  sounds: number;
  /** Sound tracks of the first source that have none where the output plays. */
  silent: readonly number[];
  /** By source, the text tracks whose cues have been read. */
  texts: readonly (readonly number[])[];
  /** By source, the text tracks that are too long to be read. */
  tooLong: readonly (readonly number[])[];
  /** Whether the request leaves out the other sound tracks. */
  chosen: boolean;
}

/** Says which tracks and chapters of the sources are not in the output. */
export function droppedOf(
  probes: readonly MediaProbe[],
  { sounds, silent, texts, tooLong, chosen }: Kept,
): Warning | null {
  const [first, ...more] = probes;
  const differ =
    first !== undefined && !chosen && more.some((probe) => othersOf(probe).length !== othersOf(first).length);
  const names = probes.flatMap((probe, source) => {
    const unkept = probe.streams.filter((stream) => {
      const { index, type, video, audio } = stream;
      if (type === 'video') return video !== null && index !== probe.video?.index;
      if (type === 'subtitle') return texts[source]?.includes(index) !== true;
      if (type !== 'audio') return !isChapterTrack(stream);
      const other = index !== probe.audio?.index;
      if (chosen && other) return false;
      return audio === null || silent.includes(index) || (differ && sounds === 0 && other);
    });
    const lost = [...unkept, ...(probe.lost ?? []).filter((stream) => !isChapterTrack(stream))];
    const of = more.length > 0 ? ` of source ${source}` : '';
    const chapters =
      probe.chapters.length > MOST_CHAPTERS ? [`chapters${of} after the first ${MOST_CHAPTERS}`] : [];
    const long = ({ index }: StreamFacts) => (tooLong[source]?.includes(index) ? ', too long' : '');
    return [
      ...lost.map((stream) => `track ${stream.index}${of} (${nameOf(stream)}${long(stream)})`),
      ...chapters,
    ];
  });
  if (names.length === 0) return null;
  const why = differ ? ', because the sources differ in their tracks' : '';
  return { code: 'stream_dropped', detail: `Not kept${why}: ${names.join(', ')}.` };
}

/** The titles of chapters, which are read as chapters. */
const isChapterTrack = ({ type, tag }: StreamFacts) => type === 'data' && tag === 'text';

const kinds: Partial<Record<StreamFacts['type'], string>> = { attached_picture: 'cover' };

/** Codecs are names of ffmpeg; four-character codes come from the source. */
const nameOf = ({ type, codec, tag }: StreamFacts) =>
  `${kinds[type] ?? type}, ${tag !== null && ['unknown', 'bin_data'].includes(codec) ? tag : codec}`;
