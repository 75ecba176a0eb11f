import type { VideoEncoder } from '../../model/encoding.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Plan } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';

/** Minimum pixels per side: 4:2:0 needs an even number, x265 a minimum coding block, SVT-AV1 a superblock. */
const least: Record<VideoEncoder, number> = {
  libx264: 2,
  libx265: 16,
  'libvpx-vp9': 1,
  libsvtav1: 64,
  'libaom-av1': 1,
  prores_ks: 1,
};

/** Throws `output_too_small` if a picture is smaller than its encoder supports. */
export function admitSmallest({ steps, expect }: Plan): void {
  for (const { video, file } of expect.media) {
    if (!video) continue;
    const encoders = steps.flatMap((step) => (step.kind === 'render' ? step.outputs.flatMap(encoderOf) : []));
    const own = encoders.filter((made) => made.file === file);
    // What no encoder writes itself is joined from parts.
    const side = greatest((own.length > 0 ? own : encoders).map(({ encoder }) => least[encoder]));
    if (Math.min(video.width, video.height) >= side) continue;
    const size = `${video.width} × ${video.height} px`;
    throw new TaskFailure(
      'output_too_small',
      `The output picture would be ${size}; ${video.codec} needs at least ${side} × ${side} px. Use a larger size or another codec.`,
    );
  }
}

function encoderOf(output: Extract<Plan['steps'][number], { kind: 'render' }>['outputs'][number]) {
  if (!('video' in output) || !output.video || 'copy' in output.video.encode) return [];
  return [{ file: output.file, encoder: output.video.encode.encoder }];
}
