import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan } from '../../../model/plan.ts';
import { micros } from '../require-streams.ts';
import { timeMapOf, totalOf } from './clips.ts';
import type { Made, Work } from './sound-parts.ts';

/** The plan that makes one media file of clips. */
export function planOf(
  { clips, reversed }: Pick<Work, 'clips' | 'reversed'>,
  made: Made,
  warnings: Warning[],
): Plan {
  const { steps, file, expect, width, height, fps, copied } = made;
  const duration = micros(totalOf(clips));
  const seconds = expect.video ? duration : 0;
  return {
    steps,
    files: [file],
    expect: { pictures: [], media: [expect] },
    ...{ duration, width, height, fps },
    data: { copied_seconds: micros(copied), rendered_seconds: micros(seconds - copied) },
    time_map: timeMapOf(clips, reversed),
    warnings,
  };
}
