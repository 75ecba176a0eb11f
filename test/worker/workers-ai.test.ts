import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../schema/api/signature.ts';
import { AI_PATH, aiAnswer, type Job, WIRE_VERSION } from '../../schema/task/wire.ts';
import { wave16 } from '../../transcoder/engines/speech/wave.ts';
import { type Service, startService } from '../harness.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

const input = { video_url: 'https://media.example.com/talk.mp4', burn: false };
const transcribe = {
  ...{ v: WIRE_VERSION, type: 'transcribe', language: null },
  audio: wave16(Buffer.alloc(64_000), 16_000).toString('base64'),
};
const speak = { v: WIRE_VERSION, type: 'speak', text: 'Hola.', language: 'es', speaker: 'aquila' };

let standIn: StandIn;
let bound: Service;
beforeAll(async () => {
  standIn = await startStandIn();
  bound = await startService({ TRANSCODER_URL: standIn.origin }, { entry: 'test/worker/ai-worker.ts' });
});
afterAll(async () => {
  await bound.close();
  await standIn.close();
});

async function jobOf(service: Service, path: string, json: object): Promise<Job> {
  const response = await service.request(path, { key: service.accounts.elite.key, json });
  const { id } = (await response.json()) as { id: string };
  return standIn.jobOf(id);
}

async function ask(job: Job, request: object, secret = job.callback_secret): Promise<Response> {
  const body = JSON.stringify(request);
  const headers = await signatureHeaders(secret, crypto.randomUUID(), body);
  return fetch(job.callback_url + AI_PATH, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

describe('Workers AI', () => {
  it('is offered where it is bound, and to the operations that use it', async () => {
    const { engines } = (await (await bound.request('/capabilities')).json()) as {
      engines: { id: string; available: boolean | null }[];
    };
    for (const id of ['workers_ai', 'workers_ai_tts'])
      expect(engines.find((engine) => engine.id === id)).toMatchObject({ available: true });
    expect((await jobOf(bound, '/captions/auto', input)).workers_ai).toBe(true);
    expect((await jobOf(bound, '/probe', { url: input.video_url })).workers_ai).toBeUndefined();
  });

  it('hears and speaks for an attempt that runs', async () => {
    const job = await jobOf(bound, '/captions/auto', input);
    const heard = aiAnswer.parse(await (await ask(job, transcribe)).json());
    expect(heard).toMatchObject({ type: 'heard', answer: { text: 'Good morning.' } });
    const spoken = aiAnswer.parse(await (await ask(job, speak)).json());
    if (spoken.type !== 'spoken') throw new Error(spoken.type);
    expect(Buffer.from(spoken.audio, 'base64').toString('latin1', 0, 4)).toBe('RIFF');
    const wrong = aiAnswer.parse(await (await ask(job, { ...speak, speaker: 'luna' })).json());
    expect(wrong).toMatchObject({ type: 'refused', reason: 'input' });
  });

  it('does nothing for others: not signed, of another attempt, of no shape, too large, ended', async () => {
    const [job, other] = await Promise.all([
      jobOf(bound, '/captions/auto', input),
      jobOf(bound, '/captions/auto', input),
    ]);
    expect((await fetch(job.callback_url + AI_PATH, { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await ask(job, transcribe, other.callback_secret)).status).toBe(404);
    expect((await ask(job, { ...transcribe, model: 'any' })).status).toBe(200);
    expect((await ask(job, { ...transcribe, audio: '!' })).status).toBe(422);
    expect((await ask(job, { ...transcribe, audio: 'A'.repeat(4_000_000) })).status).toBe(413);
    const failure = { code: 'engine_failed', detail: 'No.', stage: 'analyzing' } as const;
    await standIn.report(job, { type: 'failed', failure });
    expect((await ask(job, transcribe)).status).toBe(409);
  });
});
