import { extentArguments, firstDecodedArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { StatedAudio } from '../../model/media-probe.ts';
import type { MediaSource, SourceFile } from '../../model/media-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Extent } from '../libav/protocol.ts';

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
  const extents = new Map<number, Extent>();
  for (const line of stdout.split('\n')) {
    const [stream = '', pts = '', dts = '', duration = '', flags = '', , dropped = ''] = line.split(',');
    const tick = Number([pts, dts].find((text) => /^-?\d+$/.test(text)) ?? Number.NaN);
    if (Number.isNaN(tick) || flags.includes('D')) continue;
    const index = Number(stream);
    const before = extents.get(index);
    if (before && before.last > tick) before.start = Math.min(before.start, tick);
    else {
      extents.set(index, {
        start: Math.min(before?.start ?? tick, tick),
        last: tick,
        duration: Number(duration) || 0,
        // The pages of Ogg count without the samples that are dropped.
        dropped: source.format === 'ogg' ? 0 : Number(dropped) || 0,
        late: null,
      });
    }
  }
  const heard = audio && extents.get(audio.index);
  if (audio && heard) heard.start = (await firstHeard(ctx, file, audio.index, signal)) ?? heard.start;
  return extents;
}

/** Decoders leave out what their first packets only lead up to. */
async function firstHeard(
  ctx: MediaContext,
  file: SourceFile,
  stream: number,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const args = firstDecodedArguments(file, stream);
  const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
  const tick = /^-?\d+/.exec(stdout)?.[0];
  return tick === undefined ? null : Number(tick);
}
