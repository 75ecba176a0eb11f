import {
  attemptOfSpeechApi,
  speechApi,
  speechApiBase,
  speechApiModels,
} from '../../schema/api/provider-keys.ts';
import type { SpeechEndpoint } from '../model/speech-endpoint.ts';
import { guardedPost } from '../source/guarded-post.ts';
import type { Task } from './job.ts';
import { guardOf, type Reach } from './open-sources.ts';

/** The voice that most servers know. */
const VOICE = 'alloy';

/** Opens the speech API that the caller sent with the request. */
export async function callerSpeechApi(
  { openSealed, reach }: { openSealed: (sealed: string, about: string) => Promise<string>; reach: Reach },
  task: Task,
  sealed: string,
): Promise<SpeechEndpoint> {
  const opened = await openSealed(sealed, attemptOfSpeechApi(task.task_id, task.attempt));
  const { url, key, model } = speechApi.parse(JSON.parse(opened));
  return {
    ...{
      whose: 'caller',
      url: speechApiBase(url),
      key,
      voice: VOICE,
      post: guardedPost(guardOf(task, reach)),
    },
    models: {
      transcription: model ?? speechApiModels.transcription,
      speech: model ?? speechApiModels.speech,
    },
  };
}
