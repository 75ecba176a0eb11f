import { type SourceClock, sourceClock, type TrackTimes } from '../../model/source-clock.ts';
import type { StatedSource } from './streams.ts';
import { type ChosenTimes, type Reading, trackTimes } from './track-times.ts';

/**
 * The one account of a moving source's time: when it begins and ends, by its chosen picture and sound alone. Data, captions and
 * attached pictures may begin earlier or end later; no player shows them. Throws `source_truncated`.
 */
export async function clockOf(
  reading: Reading,
  { video, audio, streams }: StatedSource,
): Promise<SourceClock & { times: ChosenTimes }> {
  const times = await trackTimes(reading, { video, audio }, streams);
  const [first, ...others] = [times.video, times.audio].filter(
    (track): track is TrackTimes => track !== null,
  );
  if (!first) throw new Error('a source without picture and sound has no time');
  return { ...sourceClock([first, ...others]), times };
}
