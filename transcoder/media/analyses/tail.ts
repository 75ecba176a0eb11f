import type { Analysis } from '../../model/plan.ts';
import { canSeek } from '../../model/source/media-probe.ts';
import { type Analyzer, videoOf } from './analyzer.ts';
import { listPackets } from './packets.ts';

/** The last packets are first searched for this long before the end that the container states. */
const TAIL_SECONDS = 10;

export const tail: Analyzer<Extract<Analysis, { kind: 'tail' }>> = async (ctx, _, about, { signal }) => {
  const { source, probe } = about;
  const video = videoOf(about, 'the tail');
  const from = video.startTime + video.duration - TAIL_SECONDS;
  const late =
    canSeek(probe) && from > probe.origin
      ? await listPackets(ctx, source, video, [[from, null]], signal)
      : [];
  return { tail: late.length > 0 ? late : await listPackets(ctx, source, video, [], signal) };
};
