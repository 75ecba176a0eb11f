import { toBase64 } from '../../schema/bytes.ts';
import { type AiAnswer, type AiRequest, WIRE_VERSION } from '../../schema/task/wire.ts';
import { errorText, log } from './log.ts';

const whisper = '@cf/openai/whisper-large-v3-turbo';
const aura = { en: '@cf/deepgram/aura-2-en', es: '@cf/deepgram/aura-2-es' } as const;

/** 16-bit WAVE at this rate is what the transcoder reads. */
const SAMPLE_RATE = 24_000;

/** What is used of the binding of Workers AI. */
export interface AiBinding {
  run(
    model: string,
    inputs: Record<string, unknown>,
    options?: { returnRawResponse: true },
  ): Promise<unknown>;
}

/** Runs the models of the operator's Workers AI binding. Errors become answers; their text is only logged. */
export function workersAi(binding: AiBinding) {
  return async (request: AiRequest): Promise<AiAnswer> => {
    const v = WIRE_VERSION;
    try {
      if (request.type === 'transcribe') {
        const { audio, language } = request;
        const answer = await binding.run(whisper, {
          audio,
          task: 'transcribe',
          condition_on_previous_text: false,
          ...(language === null ? {} : { language }),
        });
        return { v, type: 'heard', answer };
      }
      const { text, speaker, language } = request;
      const spoken = await speak(binding, { text, speaker, language });
      if (spoken.ok)
        return { v, type: 'spoken', audio: toBase64(new Uint8Array(await spoken.arrayBuffer())) };
      log('warn', 'workers_ai_refused', { status: spoken.status });
      await spoken.body?.cancel();
      return { v, type: 'refused', reason: spoken.status === 429 ? 'busy' : 'failed' };
    } catch (error) {
      log('warn', 'workers_ai_failed', { error: errorText(error) });
      return { v, type: 'refused', reason: reasonOf(error) };
    }
  };
}

async function speak(
  binding: AiBinding,
  { text, speaker, language }: { text: string; speaker: string; language: 'en' | 'es' },
): Promise<Response> {
  const how = { encoding: 'linear16', container: 'wav', sample_rate: SAMPLE_RATE };
  const answer = await binding.run(aura[language], { text, speaker, ...how }, { returnRawResponse: true });
  if (!(answer instanceof Response)) throw new Error('the binding did not give a response');
  return answer;
}

/** Codes at https://developers.cloudflare.com/workers-ai/platform/errors/, which begin the message of an error. */
function reasonOf(error: unknown): 'busy' | 'quota' | 'input' | 'failed' {
  const code = Number(/\b(\d{4})\b/.exec(error instanceof Error ? error.message : '')?.[1]);
  if (code === 3036 || code === 4006) return 'quota';
  if (code === 3040 || code === 3039) return 'busy';
  if ([5004, 5006, 5007, 3003].includes(code)) return 'input';
  return 'failed';
}
