import { extentArguments, firstDecodedArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import { BlockTimes, type StatedBlock } from '../../model/source/block-times.ts';
import type { StatedAudio } from '../../model/source/media-probe.ts';
import type { MediaSource, SourceFile } from '../../model/source/media-source.ts';
import { timeUnit } from '../../model/source/video-stream.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Extent } from '../libav/protocol.ts';

/** First and last packet times of each stream, from a full ffprobe packet listing. */
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
  const blocks = new BlockTimes();
  for (const line of stdout.split('\n')) {
    const [stream = '', pts = '', dts = '', duration = '', flags = '', , dropped = ''] = line.split(',');
    const tick = Number([pts, dts].find((text) => /^-?\d+$/.test(text)) ?? Number.NaN);
    if (Number.isNaN(tick) || flags.includes('D')) continue;
    const index = Number(stream);
    if (index === audio?.index && !blocks.decided) blocks.take(statedBlock(audio, tick, Number(duration)));
    const before = extents.get(index);
    if (before && before.last > tick) before.start = Math.min(before.start, tick);
    else {
      extents.set(index, {
        start: Math.min(before?.start ?? tick, tick),
        last: tick,
        duration: Number(duration) || 0,
        // Ogg page timestamps already exclude the dropped samples.
        dropped: source.format === 'ogg' ? 0 : Number(dropped) || 0,
        late: null,
        endsStated: false,
        withinGroup: false,
      });
    }
  }
  const sound = audio && extents.get(audio.index);
  if (!audio || !sound) return extents;
  if (source.format === 'matroska' && audio.codec === 'vorbis' && blocks.areEnds) {
    // The first packet decodes to nothing; what comes of the second begins where the first ends.
    return extents.set(audio.index, { ...sound, duration: 0, endsStated: true });
  }
  sound.start = (await firstSampleTick(ctx, file, audio.index, signal)) ?? sound.start;
  return extents;
}

function statedBlock(audio: StatedAudio, tick: number, duration: number): StatedBlock {
  const unit = timeUnit(audio);
  return { time: tick * unit, length: duration * unit };
}

/** Timestamp of the first decoded audio frame; decoders drop priming packets. */
async function firstSampleTick(
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
