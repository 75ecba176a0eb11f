import { operations } from '../../schema/operations/index.ts';
import { SOUND_ALONE } from '../model/source/sound-alone.ts';
import { TaskFailure } from '../model/task-failure.ts';
import type { Task } from './job.ts';

const isOptional = (field: { safeParse(value: unknown): { success: boolean } }) =>
  field.safeParse(undefined).success;

/** Adds to the refusal of sound that was given as a video where the operation takes it. */
export function ofSoundAlone(
  { operation, input }: Pick<Task, 'operation' | 'input'>,
  error: unknown,
): unknown {
  if (!(error instanceof TaskFailure) || error.code !== 'source_no_video' || error.message !== SOUND_ALONE)
    return error;
  const { fields } = operations[operation];
  const either =
    'video_url' in fields && 'audio_url' in fields && [fields.video_url, fields.audio_url].every(isOptional);
  if (!either || error.sourceIndex !== 0 || input.video_url === undefined || input.audio_url !== undefined)
    return error;
  const { sourceIndex, retryable, cause } = error;
  const detail = `${SOUND_ALONE} Give it as \`audio_url\` instead of \`video_url\`.`;
  return new TaskFailure(error.code, detail, { sourceIndex, retryable, cause });
}
