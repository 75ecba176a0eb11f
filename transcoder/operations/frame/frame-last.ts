import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Analysis, Means, Planner, SourceFacts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { oneFrame } from '../plan/filters.ts';
import { planOf } from '../plan/output.ts';
import { micros, only, pastEnd, pictureOf } from '../plan/require-streams.ts';
import { displayed } from '../plan/still-image.ts';
import { drawingOf, pictureFile, pictureShape, toWebp } from './picture.ts';

export const frameLast: Planner<OperationInput<'frame_last'>> = {
  // Only the end of the source is read.
  remuxedFor: 'decoding',

  analyses: (input, probes, means) => {
    const probe = only(probes);
    const { duration } = probe;
    if (input.epsilon > (duration ?? 0)) throw pastEnd('epsilon', input.epsilon, duration);
    return probe.still ? [{ kind: 'display', source: 0 }] : [pictureAtEnd(input, probe, means)];
  },

  again: ({ input, probes, facts, ...means }) => {
    const probe = only(probes);
    return probe.still ? [pictureAtEnd(input, probe, means, facts)] : [];
  },

  near: () => Number.MAX_SAFE_INTEGER / 1e6,

  plan: ({ input, probes, facts, limits, capabilities }) => {
    const probe = only(probes);
    const video = pictureOf(probe);
    const [picture] = facts.pictures ?? [];
    if (!picture) {
      throw new TaskFailure('source_no_video', 'No frame of the source can be decoded.', { sourceIndex: 0 });
    }
    const shape = pictureShape(displayed(probe, video, facts), input, limits.output_side_px, capabilities);
    const file = pictureFile('picture', input.format);
    return planOf({
      steps: picture.drawn
        ? input.format === 'webp'
          ? [toWebp(['picture'], input.quality)]
          : []
        : [
            {
              kind: 'render',
              inputs: [{ source: 0, seek: picture.seek, coded: probe.still }],
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

function pictureAtEnd(
  input: OperationInput<'frame_last'>,
  probe: MediaProbe,
  means: Means,
  facts?: SourceFacts,
): Analysis {
  const display = displayed(probe, pictureOf(probe), facts);
  const drawing = drawingOf(display, input, ['picture'], null, means);
  const moments = [{ beforeEnd: input.epsilon }];
  return { kind: 'pictures', source: 0, moments, skipBlack: input.skip_black, drawing };
}
