import { type SourceClock, sourceClock, type TrackTimes } from '../../model/source/source-clock.ts';
import type { StatedSource } from './streams.ts';
import { type ChosenTimes, type Reading, trackTimes } from './track-times.ts';

/**
 * The only place that defines a moving source's time: it begins and ends with its chosen video and audio tracks. Data, captions
 * and attached pictures may begin earlier or end later, but no player shows them. Throws `source_truncated`.
 */
export async function clockOf(
  reading: Reading,
  { video, audio, streams }: StatedSource,
): Promise<SourceClock & { times: ChosenTimes }> {
  const times = await trackTimes(reading, { video, audio }, streams);
  const [first, ...others] = [times.video, times.audio].filter(
    (track): track is TrackTimes => track !== null,
  );
  if (!first) throw new Error('source has neither video nor audio');
  return { ...sourceClock([first, ...others]), times };
}
