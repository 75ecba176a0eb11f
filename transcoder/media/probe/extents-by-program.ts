import { extentArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaSource } from '../../media-source.ts';
import type { MediaContext } from '../context.ts';
import type { StatedAudio } from '../streams.ts';
import { timeUnit } from '../video-stream.ts';
import type { Extent } from '../worker/protocol.ts';

/** When streams begin and end by their packets, which ffprobe lists from end to end. */
export async function extentsByProgram(
  ctx: MediaContext,
  source: MediaSource,
  audio: StatedAudio | null,
  signal: AbortSignal | undefined,
): Promise<Map<number, Extent>> {
  const file = await source.whole();
  const { stdout } = await run(ctx.programs, 'ffprobe', extentArguments(file), {
    signal,
    reads: [file.path],
  });
  const ticksPerSample = audio ? 1 / (timeUnit(audio) * audio.sampleRate) : 0;
  const extents = new Map<number, Extent>();
  for (const line of stdout.split('\n')) {
    const [stream = '', pts = '', dts = '', duration = '', flags = '', skipped = '', dropped = ''] =
      line.split(',');
    const tick = Number([pts, dts].find((text) => /^-?\d+$/.test(text)) ?? Number.NaN);
    if (Number.isNaN(tick) || flags.includes('D')) continue;
    const index = Number(stream);
    const before = extents.get(index);
    const start = tick + Math.round(Number(skipped) * ticksPerSample);
    if (before && before.last > tick) before.start = Math.min(before.start, start);
    else {
      extents.set(index, {
        start: Math.min(before?.start ?? start, start),
        last: tick,
        duration: Number(duration) || 0,
        // The pages of Ogg count without the samples that are dropped.
        dropped: source.format === 'ogg' ? 0 : Number(dropped) || 0,
      });
    }
  }
  return extents;
}
