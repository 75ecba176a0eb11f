import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Planner } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { oneFrame } from '../plan/filters.ts';
import { planOf } from '../plan/output.ts';
import { micros, only, pictureOf, shown } from '../plan/require-streams.ts';
import { drawingOf, pictureFile, pictureShape, toWebp } from './picture.ts';

export const frameLast: Planner<OperationInput<'frame_last'>> = {
  // Only the end of the source is read.
  remuxedFor: 'decoding',

  analyses: (input, probes, means) => {
    const probe = only(probes);
    const video = pictureOf(probe);
    const duration = probe.still ? 0 : probe.duration;
    if (input.epsilon > duration) {
      const detail = `epsilon is ${shown(input.epsilon)} s, but the source is only ${shown(duration)} s long.`;
      throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    }
    const moments = [{ beforeEnd: input.epsilon }];
    const drawing = drawingOf(video, input, ['picture'], null, means);
    return [{ kind: 'pictures', source: 0, moments, skipBlack: input.skip_black, drawing }];
  },

  near: () => Number.MAX_SAFE_INTEGER / 1e6,

  plan: ({ input, probes, facts, limits, capabilities }) => {
    const probe = only(probes);
    const video = pictureOf(probe);
    const [picture] = facts.pictures ?? [];
    if (!picture) {
      throw new TaskFailure('source_no_video', 'No frame of the source can be decoded.', { sourceIndex: 0 });
    }
    const shape = pictureShape(video, input, limits.output_side_px, capabilities);
    const file = pictureFile('picture', input.format);
    return planOf({
      steps: picture.drawn
        ? input.format === 'webp'
          ? [toWebp(['picture'], input.quality)]
          : []
        : [
            {
              kind: 'render',
              inputs: [{ source: 0, seek: picture.seek }],
              chains: [
                {
                  from: [`0:${video.index}`],
                  filters: [...oneFrame(picture.pts, video), ...shape.filters],
                  to: ['p'],
                },
              ],
              outputs: [{ file: file.file, container: input.format, from: 'p', quality: input.quality }],
              seconds: null,
              lead: 0,
            },
          ],
      files: [{ file, picture: { format: input.format, ...shape.size } }],
      data: {
        timestamp: micros(Math.max(0, picture.pts - probe.origin)),
        source_duration: probe.still ? 0 : probe.duration,
      },
      warnings: shape.warnings,
    });
  },
};
