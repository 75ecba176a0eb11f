import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { graphText } from '../../model/filter-text.ts';
import { canSeek } from '../../model/source/media-probe.ts';
import type { MediaSource, ProbedSource } from '../../model/source/media-source.ts';
import { soundSince, type Timed } from '../../model/source/sound-times.ts';
import { type Filter, withoutGapsOptions } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Rendered } from '../execute/rendered.ts';
import { type Lag, soundLag } from './audio-lag.ts';

/** Sample rate for the comparison; a quarter of a millisecond is a fine enough resolution. */
const RATE = 4000;
/** Longest and shortest passage to compare at either end, in seconds. Shorter ones prove nothing. */
const LONGEST = 1.5;
const SHORTEST = 0.3;
/** Skipped at the edges, where encoders and fades blur the sound. */
const EDGE = 0.05;
/** Seconds of source on either side to search for shifted sound. */
const BESIDE = 0.25;
/** Allowed shift in seconds. */
const NEAR = 0.008;
/** Sound counts as shifted if its correlation there is at least LIKE, and exceeds the correlation at its due place by at least MORE. */
const LIKE = 0.8;
const MORE = 0.15;
/** Seconds before a passage at which decoding begins. */
const LEAD = 1;

interface Passage {
  source: number;
  made: number;
  from: number;
  seconds: number;
}

interface Listening {
  libav: NonNullable<MediaContext['libav']>;
  made: MediaSource;
  /** Index and codec of its audio. */
  stream: number;
  codec: string;
  /** The audio that it plays, by source; null for the one that players choose. */
  from: readonly number[] | null;
  /** For temporary sample files. */
  directory: string;
  /** Timestamp in the result of the time map's 0. */
  origin: number;
  sources: readonly ProbedSource[];
  signal: AbortSignal | undefined;
}

/**
 * Proves that the audio at both ends of a file matches the time map. @returns what is wrong, or null if nothing is or the audio
 * is inconclusive, such as silence or a constant tone. Throws LibavFailure.
 */
export async function soundProblem(listening: Listening, map: Rendered['time_map']): Promise<string | null> {
  const sources = listening.sources.map((source, index) => hearing(source, listening.from?.[index]));
  for (const passage of passagesOf(map, sources)) {
    const lag = await lagOf({ ...listening, sources }, passage);
    if (!lag || lag.likeness < LIKE || lag.due > lag.likeness - MORE) continue;
    const milliseconds = Math.round((Math.abs(lag.samples) / RATE) * 1000);
    const moved = lag.samples > 0 ? 'late' : 'early';
    return `At ${passage.made.toFixed(3)} s the audio of the output is ${milliseconds} ms ${moved}.`;
  }
  return null;
}

/** A source of which another track is heard. */
function hearing(source: ProbedSource, stream: number | undefined): ProbedSource {
  const { probe } = source;
  const chosen = probe.streams.find(({ index }) => index === stream)?.audio;
  return chosen && !probe.still ? { ...source, probe: { ...probe, audio: chosen } } : source;
}

/** Passages at the beginning and the end, if they play at the source's speed. */
function passagesOf(map: Rendered['time_map'], sources: readonly ProbedSource[]): Passage[] {
  const ends = [map[0], map.at(-1)].map((part, at) => {
    const probe = part && sources[part.source]?.probe;
    if (!part || !probe?.audio) return null;
    const {
      in: [from, to],
      out: [begin, end],
    } = part;
    const seconds = Math.min(LONGEST, end - begin - 2 * EDGE);
    if (seconds < SHORTEST || Math.abs((to - from) / (end - begin) - 1) > 0.001) return null;
    const made = at === 0 ? begin + EDGE : end - EDGE - seconds;
    return { source: part.source, made, from: from + made - begin, seconds };
  });
  return ends.filter((passage) => passage !== null);
}

async function lagOf(
  { libav, made, stream: own, codec, directory, origin, sources, signal }: Listening,
  passage: Passage,
): Promise<Lag | null> {
  const source = sources[passage.source];
  const stream = source?.probe.audio?.index;
  if (!source || stream === undefined) return null;
  const sounds = {
    made: {
      ...{ of: made, audio: { codec, endsStated: false }, seekable: true, stream: own },
      ...{ at: origin + passage.made, seconds: passage.seconds },
    },
    from: {
      ...{ of: source, audio: source.probe.audio, seekable: canSeek(source.probe), stream },
      at: source.probe.origin + passage.from - BESIDE,
      seconds: passage.seconds + 2 * BESIDE,
    },
  };
  const files = Object.keys(sounds).map((name) => join(directory, `${name}-${randomUUID()}.raw`));
  try {
    await libav.ask(
      {
        kind: 'mix',
        feeds: Object.entries(sounds).map(([label, { of, seekable, stream, at }]) => ({
          ...{ label: `${label}:0`, source: of.parts(), stream, loop: false, zero: at },
          seek: seekable && at > LEAD ? at - LEAD : null,
        })),
        chains: graphText(
          Object.entries(sounds).map(([label, { audio, at, seconds }]) => ({
            ...{ from: [`${label}:0`], to: [label], filters: monoFrom(audio, at, seconds) },
          })),
        ),
        outputs: Object.keys(sounds).map((from, index) => ({
          from,
          file: files[index] ?? '',
          encoding: null,
        })),
        seconds: 0,
      },
      { sources: [made, source], signal },
    );
    const [heard, around] = await Promise.all(files.map(samplesIn));
    if (!heard || !around) return null;
    return soundLag({ made: heard, from: around, beside: BESIDE * RATE }, NEAR * RATE);
  } finally {
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }
}

/** Mono from second `at` of the file, padded with silence. */
function monoFrom(audio: Timed | null, at: number, seconds: number): Filter[] {
  return [
    ...soundSince(audio, at),
    { name: 'aformat', options: { channel_layouts: 'mono' } },
    { name: 'aresample', options: { sample_rate: RATE, ...withoutGapsOptions } },
    { name: 'apad', options: {} },
    { name: 'atrim', options: { end_sample: Math.round(seconds * RATE) } },
  ];
}

async function samplesIn(file: string): Promise<Float32Array> {
  const bytes = await readFile(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
}
