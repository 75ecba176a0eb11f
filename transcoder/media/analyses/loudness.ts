import { meterArguments } from '../../ffmpeg/inspect.ts';
import { parseLoudness } from '../../ffmpeg/loudness-meter.ts';
import { run } from '../../ffmpeg/run.ts';
import { layoutOf } from '../../model/channel-layouts.ts';
import type { Analysis } from '../../model/plan.ts';
import { mixedTo, readableSound } from '../../model/source/sound-times.ts';
import type { Analyzer } from './analyzer.ts';

const STALL_SECONDS = 60;

export const loudness: Analyzer<Extract<Analysis, { kind: 'loudness' }>> = async (
  { programs },
  { stream, mixed },
  { source, probe },
  { signal },
) => {
  const file = await source.whole();
  const audio = probe.streams.find(({ index }) => index === stream)?.audio;
  const layout = mixed ?? (audio && audio.layout === null ? layoutOf(audio) : null);
  const before = [...(audio && mixed ? readableSound(audio) : []), ...(layout ? [mixedTo(layout)] : [])];
  let heard: number | undefined;
  const { stderrTail } = await run(programs, 'ffmpeg', meterArguments(file, stream, before), {
    ...{ signal, reads: [file.path], stallSeconds: STALL_SECONDS },
    onProgress: (seconds) => {
      heard = seconds;
    },
  });
  return { loudness: parseLoudness(stderrTail), ...(heard === undefined ? {} : { heard }) };
};
