import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decimal } from '../../model/decimal.ts';
import { graphText } from '../../model/filter-text.ts';
import { canSeek } from '../../model/media-probe.ts';
import type { MediaSource, ProbedSource } from '../../model/media-source.ts';
import { type Filter, withoutGapsOptions } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Rendered } from '../execute/rendered.ts';
import { type Lag, soundLag } from './audio-lag.ts';

/** Samples a second at which sounds are compared: a quarter of a millisecond is enough to tell them apart. */
const RATE = 4000;
/** Seconds that are listened to at either end, and the fewest that tell anything. */
const LONGEST = 1.5;
const SHORTEST = 0.3;
/** Left out at the edges, where encoders and fades blur the sound. */
const EDGE = 0.05;
/** Seconds of the source on either side in which a sound that has moved is looked for. */
const BESIDE = 0.25;
/** Seconds that a sound may be off by. */
const NEAR = 0.008;
/** A sound is found where it is like its source by so much, and that much more than where it should be. */
const LIKE = 0.8;
const MORE = 0.15;
/** Seconds before a passage from which sound is decoded. */
const LEAD = 1;

interface Passage {
  source: number;
  made: number;
  from: number;
  seconds: number;
}

interface Listening {
  engine: NonNullable<MediaContext['engine']>;
  made: MediaSource;
  /** Where samples are written for a moment. */
  directory: string;
  /** Timestamp in the result that is time 0 of the time map. */
  origin: number;
  sources: readonly ProbedSource[];
  signal: AbortSignal | undefined;
}

/**
 * Proves that the sound of a file stands where the time map says, at both ends of it. @returns what is wrong; null where nothing
 * is, or where the sound does not tell: silence, or a tone that is everywhere the same. Throws EngineFailure.
 */
export async function soundProblem(listening: Listening, map: Rendered['time_map']): Promise<string | null> {
  for (const passage of passagesOf(map, listening.sources)) {
    const lag = await lagOf(listening, passage);
    if (!lag || lag.likeness < LIKE || lag.due > lag.likeness - MORE) continue;
    const milliseconds = Math.round((Math.abs(lag.samples) / RATE) * 1000);
    const moved = lag.samples > 0 ? 'late' : 'early';
    return `At ${passage.made.toFixed(3)} s the audio of the output is ${milliseconds} ms ${moved}.`;
  }
  return null;
}

/** The beginning and the end, where they play as fast as the source. */
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
  { engine, made, directory, origin, sources, signal }: Listening,
  passage: Passage,
): Promise<Lag | null> {
  const source = sources[passage.source];
  const stream = source?.probe.audio?.index;
  if (!source || stream === undefined) return null;
  const sounds = {
    made: { of: made, seekable: true, stream: 1, at: origin + passage.made, seconds: passage.seconds },
    from: {
      ...{ of: source, seekable: canSeek(source.probe), stream },
      at: source.probe.origin + passage.from - BESIDE,
      seconds: passage.seconds + 2 * BESIDE,
    },
  };
  const files = Object.keys(sounds).map((name) => join(directory, `${name}-${randomUUID()}.raw`));
  try {
    await engine.ask(
      {
        kind: 'mix',
        feeds: Object.entries(sounds).map(([label, { of, seekable, stream, at }]) => ({
          ...{ label: `${label}:0`, source: of.parts(), stream, loop: false, zero: at },
          seek: seekable && at > LEAD ? at - LEAD : null,
        })),
        chains: graphText(
          Object.entries(sounds).map(([label, { at, seconds }]) => ({
            ...{ from: [`${label}:0`], to: [label], filters: heardFrom(at, seconds) },
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

/** One channel from a second of the file on, with silence where there is no sound. */
function heardFrom(at: number, seconds: number): Filter[] {
  return [
    { name: 'asetpts', options: { expr: `round(PTS-(${decimal(at)})/TB)` } },
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
