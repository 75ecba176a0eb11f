import type { Warning } from '../../schema/task/task.ts';
import type { MediaProbe } from '../model/source/media-probe.ts';
import { numbered } from './incomplete-sources.ts';

/**
 * A warning for each source of which an edit list shows a chosen track at another speed (ISO/IEC 14496-12, 8.6.6), which ffmpeg and
 * most players ignore.
 */
export function otherSpeeds(probes: readonly Pick<MediaProbe, 'streams' | 'video' | 'audio'>[]): Warning[] {
  return probes.flatMap(({ streams, video, audio }, index) => {
    const chosen = streams.filter((stream) => [video?.index, audio?.index].includes(stream.index));
    const rate = chosen.find(({ editRate }) => editRate !== undefined)?.editRate;
    if (rate === undefined) return [];
    const asked =
      rate === 0 ? 'as one frame that stays' : `at ${Math.round(rate * 1000) / 1000} times its speed`;
    const detail = `${numbered(index, probes)} has an edit list that shows it ${asked}. As in most players, it was used at its usual speed, for as long as the edit lasts. To change the speed, use /speed.`;
    return [{ code: 'source_edit_rate', detail }];
  });
}
