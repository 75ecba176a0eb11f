import type { TaskPlan } from '../../schema/task/task.ts';
import type { Plan } from '../model/plan.ts';
import type { MediaProbe } from '../model/source/media-probe.ts';
import { thousandths } from '../operations/plan/require-streams.ts';
import type { Task } from './job.ts';
import { nameOf } from './upload.ts';

/** The part of a plan that a dry run returns to the caller. */
export function plannedOf(task: Task, plan: Plan, probes: readonly MediaProbe[]): TaskPlan {
  const { files, duration, width, height, fps, data, time_map } = plan;
  return {
    sources: probes.map(summaryOf),
    files: files.map((file) => ({
      role: file.role,
      file_name: nameOf(task, files, file),
      media_type: file.media_type,
    })),
    ...{ duration, width, height, fps, data, time_map },
  };
}

function summaryOf({
  container,
  still,
  duration,
  fileSize,
  video,
  audio,
}: MediaProbe): TaskPlan['sources'][number] {
  return {
    container,
    duration,
    file_size: fileSize,
    video: video && {
      codec: video.codec,
      width: video.displayWidth,
      height: video.displayHeight,
      fps: still ? null : thousandths(1 / video.frameDuration),
    },
    audio: audio && { codec: audio.codec, sample_rate: audio.sampleRate, channels: audio.channels },
  };
}
