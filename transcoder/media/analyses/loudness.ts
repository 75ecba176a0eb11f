import { meterArguments } from '../../ffmpeg/inspect.ts';
import { parseLoudness } from '../../ffmpeg/loudness-meter.ts';
import { run } from '../../ffmpeg/run.ts';
import { channelsOf, layoutOf } from '../../model/channel-layouts.ts';
import { decimal } from '../../model/numbers/decimal.ts';
import type { Analysis, Read } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { asLoudIn, mixedTo, readableSound } from '../../model/source/sound-times.ts';
import type { Filter } from '../../model/steps.ts';
import type { Analyzer } from './analyzer.ts';

const STALL_SECONDS = 60;
/** Seconds of sound that are decoded in a second, at least; nothing is reported before the span. */
const DECODE_SPEED = 50;

export const loudness: Analyzer<Extract<Analysis, { kind: 'loudness' }>> = async (
  { programs },
  { stream, mixed, span },
  { source, probe },
  { signal },
) => {
  const file = await source.whole();
  const audio = probe.streams.find(({ index }) => index === stream)?.audio;
  const layout = mixed ?? (audio && audio.layout === null ? layoutOf(audio) : null);
  const before = [
    ...(audio && (mixed || span) ? readableSound(audio) : []),
    ...(span ? [within(span, probe)] : []),
    ...(audio && layout ? asLoudIn(channelsOf(layout), audio) : []),
    ...(layout ? [mixedTo(layout)] : []),
  ];
  let heard: number | undefined;
  const args = meterArguments(file, stream, before, { stamped: span !== undefined });
  const { stderrTail } = await run(programs, 'ffmpeg', args, {
    ...{
      signal,
      reads: [file.path],
      stallSeconds: STALL_SECONDS + Math.ceil((span?.start ?? 0) / DECODE_SPEED),
    },
    onProgress: (seconds) => {
      if (!span) heard = seconds;
    },
  });
  return { loudness: parseLoudness(stderrTail), ...(heard === undefined ? {} : { heard }) };
};

const within = ({ start, end }: Read, { origin }: MediaProbe): Filter => ({
  name: 'atrim',
  options: {
    start: decimal(origin + start),
    ...(Number.isFinite(end) ? { end: decimal(origin + end) } : {}),
  },
});
