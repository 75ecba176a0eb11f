import type { Edit } from './edit.ts';
import { timecode } from './timecode.ts';

/** RFC 4180: the decision list, with frames and timecode of each segment. */
export function csvText({ segments, rate, first }: Edit): string {
  const rows = segments.map(({ start, end, action, from, to }) =>
    [start, end, action, from, to, timecode(first + from, rate), timecode(first + to, rate)].join(','),
  );
  return ['start,end,action,start_frame,end_frame,start_timecode,end_timecode', ...rows, ''].join('\r\n');
}
