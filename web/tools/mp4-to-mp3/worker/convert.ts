import { clockText } from '../clock.ts';
import { ToolError } from '../failures.ts';
import type { Converted, Request } from '../messages.ts';
import { canCopy } from '../settings.ts';
import { copy, startsOnTime } from './copy.ts';
import { frameAt } from './cover.ts';
import { encode, lameGaps } from './encode.ts';
import { Mp3File } from './mp3-file.ts';
import { blobSink, diskSink } from './sinks.ts';
import { endOf, isLayer3, isUnreadable, openSource, secondsMissing, trackFailure } from './source.ts';
import { chosenTags, id3Bytes } from './tags.ts';

type Job = Extract<Request, { kind: 'convert' }>;

export async function convert(
  { file, settings, choices, save }: Job,
  onProgress: (fraction: number) => void,
): Promise<Converted> {
  const source = await openSource(file);
  const { input, tracks, origin } = source;
  let reached = 0;
  try {
    const track = tracks.find(({ number }) => number === choices.track);
    if (!track) throw new ToolError({ code: 'no_sound' });
    const end = await endOf(source, [track]);
    const from = origin + (choices.from ?? 0);
    const to = choices.to === null ? end : Math.min(origin + choices.to, end);
    const tags = await chosenTags(input, choices, () => frameAt(input, origin + choices.coverAt));
    const mp3 = new Mp3File(await id3Bytes(tags), (headBytes) =>
      save ? diskSink(save, headBytes) : blobSink(),
    );
    const missing = (lost: number) => secondsMissing(source, end, lost);
    const report = (timestamp: number) => {
      reached = Math.max(timestamp - origin, 0);
      onProgress(Math.min(Math.max((timestamp - from) / (to - from), 0), 1));
    };
    const sound = {
      codec: await track.getCodec(),
      sampleRate: await track.getSampleRate(),
      channels: await track.getNumberOfChannels(),
    };
    const mayCopy = canCopy(sound, settings, choices) && (await isLayer3(track));
    if (mayCopy && (await startsOnTime(track, origin))) {
      const { gaps, seconds } = await copy(track, { origin, end }, mp3, report);
      return {
        ...(await mp3.finish(gaps)),
        seconds,
        isCopy: true,
        missing: await missing(end - from - seconds),
      };
    }
    const failure = await trackFailure(track);
    if (failure) throw new ToolError(failure);
    const seconds = await encode(track, { from, to }, settings, mp3, report);
    const gaps = lameGaps(mp3, seconds);
    return {
      ...(await mp3.finish(gaps)),
      seconds,
      isCopy: false,
      missing: await missing(to - from - seconds),
    };
  } catch (error) {
    throw explained(error, reached);
  } finally {
    input.dispose();
  }
}

function explained(error: unknown, reached: number): ToolError {
  if (error instanceof ToolError) return error;
  if (isUnreadable(error)) return new ToolError({ code: 'unreadable' });
  const name = error instanceof Error ? error.name : '';
  if (name === 'QuotaExceededError') return new ToolError({ code: 'disk_full' });
  if (name === 'EncodingError' || name === 'DataError' || error instanceof RangeError)
    return new ToolError({ code: 'broken', at: clockText(reached) });
  console.error(error);
  return new ToolError({ code: 'unexpected' });
}
