import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planOf } from '../../../schema/api/plans.ts';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import { task as taskSchema } from '../../../schema/task/task.ts';
import { type Service, sleep, startService } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;
const body = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };
const halfway = { type: 'progress', stage: 'rendering', progress_percent: 50, eta_seconds: 1 } as const;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

interface Received {
  id?: string;
  event?: string;
  data?: string;
  retry?: string;
}

/** The blocks of an event stream as they arrive; comments are left out. */
async function* blocks(response: Response): AsyncGenerator<Received> {
  if (!response.body) throw new Error('the answer has no body');
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const whole = text.split('\n\n');
    text = whole.pop() ?? '';
    for (const block of whole) {
      const fields = block.split('\n').filter((line) => !line.startsWith(':'));
      if (fields.length > 0)
        yield Object.fromEntries(fields.map((line) => [/^\w+/.exec(line)?.[0], line.replace(/^\w+: /, '')]));
    }
  }
}

const events = (id: string, key: string, headers: Record<string, string> = {}) =>
  service.request(`/task/${id}/events`, { key, headers });

const next = async (stream: AsyncGenerator<Received>) => (await stream.next()).value as Received | undefined;
const taskOf = (received: Received | undefined) => taskSchema.parse(JSON.parse(received?.data ?? ''));

describe('GET /task/{id}/events', () => {
  it('tells each change with an id, the end as the last, and then ends', async () => {
    const { key } = await service.createAccount('elite');
    const created = await service.submit('/cut', body, key);
    const { id } = created;
    expect(created.links.events).toBe(`${created.status_url}/events`);
    const job = await transcoder.jobOf(id);
    const response = await fetch(created.links.events, { headers: { 'x-api-key': key } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('content-encoding')).toBeNull();
    const stream = blocks(response);
    expect(await next(stream)).toEqual({ retry: '1000' });
    const first = await next(stream);
    expect(first?.event).toBe('task.updated');
    expect(taskOf(first)).toMatchObject({ id, status: 'queued' });

    await transcoder.report(job, halfway);
    let middle = await next(stream);
    // The beginning of the attempt may be an event of its own.
    if (taskOf(middle).progress_percent === 0) middle = await next(stream);
    expect(taskOf(middle)).toMatchObject({ status: 'processing', stage: 'rendering', progress_percent: 50 });

    await transcoder.report(job, { ...halfway, progress_percent: 75 });
    const later = await next(stream);
    expect(taskOf(later).progress_percent).toBe(75);

    await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    const last = await next(stream);
    expect(last?.event).toBe('task.completed');
    expect(taskOf(last).output?.file_name).toBe('cut.mp4');
    expect((await stream.next()).done).toBe(true);
    expect(new Set([first, middle, later, last].map((one) => one?.id)).size).toBe(4);
  });

  it('goes on after the Last-Event-ID, and says 204 to who has the last event', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const job = await transcoder.jobOf(id);
    const before = blocks(await events(id, key));
    await next(before);
    const seen = await next(before);
    await before.return(undefined);

    const stream = blocks(await events(id, key, { 'last-event-id': seen?.id ?? '' }));
    expect(await next(stream)).toEqual({ retry: '1000' });
    await transcoder.report(job, {
      type: 'failed',
      failure: { code: 'source_not_media', detail: 'No media.', stage: 'analyzing', source_index: 0 },
    });
    let last = await next(stream);
    while (last?.event === 'task.updated') {
      expect(last.id).not.toBe(seen?.id);
      last = await next(stream);
    }
    expect(last?.event).toBe('task.failed');
    expect(taskOf(last).error?.code).toBe('source_not_media');

    const again = await events(id, key, { 'last-event-id': last?.id ?? '' });
    expect([again.status, await again.text()]).toEqual([204, '']);
    const whole = await (await events(id, key)).text();
    expect(whole.match(/^event: .*/gm)).toEqual(['event: task.failed']);
  });

  it('ends with task.deleted when the task is deleted, and is a 404 for a stranger', async () => {
    const { key } = await service.createAccount('elite');
    const { id } = await service.submit('/cut', body, key);
    const stream = blocks(await events(id, key));
    await next(stream);
    await next(stream);
    const stranger = await service.createAccount('elite');
    const foreign = await events(id, stranger.key);
    expect(problemSchema.parse(await foreign.json()).code).toBe('task_not_found');
    expect((await service.request(`/task/${id}`, { method: 'DELETE', key })).status).toBe(200);
    const last = await next(stream);
    expect([last?.event, JSON.parse(last?.data ?? '')]).toEqual([
      'task.deleted',
      { object: 'task', id, deleted: true },
    ]);
    expect((await stream.next()).done).toBe(true);
  });

  it('keeps to the connections of the plan, and frees those whose clients are gone', {
    timeout: 180_000,
  }, async () => {
    const { key } = await service.createAccount('basic');
    const { id } = await service.submit('/cut', body, key);
    const controller = new AbortController();
    for (let count = 0; count < planOf('basic').connections; count++) {
      const open = await service.request(`/task/${id}/events`, { key, signal: controller.signal });
      expect(open.status).toBe(200);
    }
    const refused = await events(id, key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(problemSchema.parse(await refused.json()).code).toBe('rate_limited');
    controller.abort();
    for (let tries = 0; tries < 240; tries++) {
      const account = await (await service.request('/account', { key })).json();
      if ((account as { used: { connections: number } }).used.connections === 0) return;
      await sleep(500);
    }
    throw new Error('the connections were not freed');
  });
});
