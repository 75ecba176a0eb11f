import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Read } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource, ProbedSource } from '../../model/source/media-source.ts';
import { toMicroseconds } from '../../model/source/source-clock.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { answerOrNull } from '../libav/pool.ts';
import type { Part } from '../libav/protocol.ts';
import { asBefore, type Containing, remuxedPart } from './contain.ts';

/** Bytes from which on a source is read in part: less is read as quickly as a part is found. */
const LEAST_BYTES = 8 * 1024 * 1024;
/** Seconds to read before and behind what is wanted: groups of pictures are rarely longer, and streams rarely further apart. */
const margins = [
  { before: 12, behind: 6 },
  { before: 40, behind: 20 },
] as const;
/** Keyframes before the range: in an open group, decoding may have to begin at the one before the last. */
const LEAST_KEYS = 2;
/** Seconds to have behind the range. */
const LEAST_BEHIND = 1;

/** Whether only a part of a source is remuxed, if that is possible. */
export const isReadInPart = ({ format, bytes }: MediaSource, read: Read | null): read is Read =>
  read !== null && format === 'mpegts' && bytes >= LEAST_BYTES;

interface Reading extends Containing {
  read: Read;
  probe: (source: MediaSource) => Promise<MediaProbe>;
}

/**
 * A source without an index remuxed as far as an operation reads it, with the clock that it has as a whole. Null where a part does not
 * tell what the whole source does: all of it has to be read.
 * @param before Its probe.
 */
export async function readPart(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  before: MediaProbe,
  reading: Reading,
): Promise<ProbedSource | null> {
  const read = { ...reading.read, end: Math.min(reading.read.end, before.duration ?? 0) };
  if (read.start > read.end) return null;
  for (const margin of margins) {
    const found = await answerOrNull(
      media,
      {
        ...{ kind: 'part', source: source.parts(), origin: before.origin },
        ...{ start: read.start - margin.before, end: read.end + margin.behind },
      },
      { sources: [source], signal: reading.signal },
      'find a part of a source',
    );
    if (!found) return null;
    const made = await remuxedAs(media, source, before, found, { ...reading, read });
    if (made) return made;
  }
  return null;
}

async function remuxedAs(
  media: Pick<MediaContext, 'libav' | 'log'>,
  source: MediaSource,
  before: MediaProbe,
  { head, part }: Part,
  { read, probe, ...containing }: Reading,
): Promise<ProbedSource | null> {
  const { video } = before;
  const index = video?.index ?? null;
  const how = { ...containing, stated: true, decoded: 'changing' } as const;
  const ofStart = video?.withinGroup === true ? index : null;
  const beginsAt = async (made: { source: MediaSource; start: number }) => {
    const seen = await probe(made.source);
    return isSame(seen, before) ? made.start + seen.origin : null;
  };
  let origin: number | null = null;
  if (head) {
    const name = `${containing.name}-head`;
    const made = await remuxedPart(media, source, { ...how, name, span: head, fromKey: ofStart });
    if ('failure' in made) return null;
    origin = await beginsAt(made);
    await rm(join(containing.directory, name), { force: true });
    if (origin === null) return null;
  }
  const made = await remuxedPart(media, source, { ...how, span: part, fromKey: head ? index : ofStart });
  if ('failure' in made) return null;
  origin ??= await beginsAt(made);
  if (origin === null) return null;
  const clock = {
    origin: origin - made.start,
    duration: toMicroseconds((before.duration ?? 0) + before.origin - origin),
  };
  const arrived = { ...made.source.arrived, interlaced: video?.interlaced === true, clock };
  const remuxed = { ...made.source, arrived };
  const seen = asBefore(await probe(remuxed), before);
  const second = origin;
  const keys = made.keys.filter((key) => key - second <= read.start).length;
  const starts = !head || (keys >= LEAST_KEYS && tracksOf(seen).every(({ start }) => start <= read.start));
  const ends = part[1] === source.bytes || tracksOf(seen).every(({ end }) => end >= read.end + LEAST_BEHIND);
  return isSame(seen, before) && starts && ends ? { ...remuxed, probe: seen } : null;
}

/** When the tracks that players choose begin and end. */
const tracksOf = ({ video, audio, origin }: MediaProbe): { start: number; end: number }[] =>
  [video, audio].flatMap((track) => {
    if (!track) return [];
    const start = track.startTime - origin;
    return { start, end: start + track.duration };
  });

/** Whether a part has the same picture and sound as the whole source. */
function isSame(part: MediaProbe, whole: MediaProbe): boolean {
  const picture = ({ video }: MediaProbe) => [video?.codec, video?.width, video?.height, video?.pixelFormat];
  // By libav, the sound of MPEG-1 has another name in mp4.
  const sound = ({ audio }: MediaProbe) => [audio?.sampleRate, audio?.channels];
  const count = ({ streams }: MediaProbe) =>
    streams.filter(({ video, audio }) => video !== null || audio !== null).length;
  const seen = (probe: MediaProbe) => JSON.stringify([picture(probe), sound(probe), count(probe)]);
  return seen(part) === seen(whole);
}
