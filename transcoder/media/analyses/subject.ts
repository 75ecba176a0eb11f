import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodedSource } from '../../ffmpeg/arguments.ts';
import { smallFramesArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { SubjectAnalysis } from '../../model/plan.ts';
import { presentationFilters } from '../../model/source/presentation.ts';
import { isTimedByPackets, timeUnit } from '../../model/source/video-stream.ts';
import type { Subject } from '../../model/subject.ts';
import { Watching } from '../subject/watch.ts';
import type { Watched } from '../subject/watcher.ts';
import { type Analyzer, videoOf } from './analyzer.ts';

/** Seconds between two looks, and the most looks at a source. */
const [PERIOD, MOST_LOOKS] = [0.5, 1500];
const STALL_SECONDS = 120;

/** Looks for faces and salient spots in a source, in one pass over all frames, which also finds the cuts. */
export const subject: Analyzer<SubjectAnalysis> = async (
  ctx,
  { source: index, photo, frame: size, crop },
  about,
  { directory, signal },
) => {
  const video = videoOf(about, 'subject');
  const { source, probe } = about;
  const period = Math.max(PERIOD, video.duration / MOST_LOOKS);
  const every = Math.max(1, Math.round(period / video.frameDuration));
  const times = join(directory, `times${index}.txt`);
  const watching = new Watching({ ...size, every, crop });
  try {
    const file = decodedSource(await source.whole(), video, ctx.capabilities);
    const before = photo
      ? [{ name: 'trim', options: { end_frame: 1 } }, ...photo]
      : isTimedByPackets(video)
        ? []
        : presentationFilters(video, false);
    const args = smallFramesArguments(file, video.index, before, { ...size, coded: photo !== null, times });
    await run(ctx.programs, 'ffmpeg', args, {
      ...{ signal, cwd: directory, reads: [file.path], stallSeconds: STALL_SECONDS },
      onOutput: (chunk) => watching.push(chunk),
    });
    const watched = await watching.end();
    return { subject: timed(watched, await readTimes(times), photo ? 0 : probe.origin) };
  } finally {
    await watching.close();
    await rm(times, { force: true });
  }
};

/** Presentation times of all frames in seconds, as `framecrc` prints them. */
async function readTimes(path: string): Promise<number[]> {
  const text = await readFile(path, 'utf8');
  const timeBase = /^#tb 0: (\S+)/m.exec(text)?.[1] ?? '1/1';
  const unit = timeUnit({ timeBase });
  return [...text.matchAll(/^0,\s*-?\d+,\s*(-?\d+)/gm)].map(([, tick]) => Number(tick) * unit);
}

function timed({ scenes, seen }: Watched, times: readonly number[], origin: number): Subject {
  const at = (frame: number) => (times[frame] ?? times.at(-1) ?? origin) - origin;
  return {
    scenes: scenes.map(at),
    sightings: seen.map(({ frame, faces, salient }) => ({ time: at(frame), faces, salient })),
  };
}
