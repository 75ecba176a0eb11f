import { type Interval, packetArguments } from '../ffmpeg/inspect.ts';
import { run } from '../ffmpeg/run.ts';
import type { MediaSource } from '../media-source.ts';
import type { MediaContext } from './context.ts';
import type { Packet } from './plan.ts';
import { timeUnit, type VideoStream } from './probe.ts';

/** Packets of a video stream in decoding order, each once, without those that an edit list hides. */
export async function listPackets(
  ctx: MediaContext,
  source: MediaSource,
  video: VideoStream,
  intervals: readonly Interval[],
  signal: AbortSignal | undefined,
): Promise<Packet[]> {
  const args = packetArguments(await source.whole(), video.index, joined(intervals));
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal });
  const unit = timeUnit(video);
  const found = new Map<number, Packet>();
  for (const line of stdout.split('\n')) {
    const [pts = '', dts = '', duration = '', flags = ''] = line.split(',');
    const number = (text: string) => (/^-?\d+$/.test(text) ? Number(text) * unit : null);
    const time = number(pts) ?? number(dts);
    if (time === null || flags.includes('D') || found.has(time)) continue;
    found.set(time, { pts: time, dts: number(dts), duration: number(duration), key: flags.includes('K') });
  }
  return [...found.values()];
}

/** Intervals in order of time, those that touch made one; none where one of them is the whole file. */
function joined(intervals: readonly Interval[]): Interval[] {
  const low = (interval: Interval) => interval[0] ?? Number.NEGATIVE_INFINITY;
  const high = (interval: Interval) => interval[1] ?? Number.POSITIVE_INFINITY;
  const made: Interval[] = [];
  for (const interval of [...intervals].sort((a, b) => low(a) - low(b))) {
    const last = made.at(-1);
    if (!last || low(interval) > high(last)) made.push(interval);
    else if (high(interval) > high(last)) made[made.length - 1] = [last[0], interval[1]];
  }
  return made.some(([from, to]) => from === null && to === null) ? [] : made;
}
