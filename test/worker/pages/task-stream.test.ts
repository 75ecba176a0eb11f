import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, sleep, startService } from '../../harness.ts';
import { rows } from './rows.ts';
import { type Somebody, somebody } from './somebody.ts';
import { writeTask } from './task-rows.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

const running = { status: 'processing', stage: 'rendering', progressPercent: 42 } as const;

/** A stream of a running task, after its first event. */
async function opened({ browser, account, id }: Somebody, of = browser) {
  const task = await writeTask(service, id, running);
  const response = await of.send(`${account}/tasks/${task}/events`);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  /** Everything that was sent until the text fits, or until the stream ended. */
  const until = async (pattern: RegExp | 'end') => {
    for (;;) {
      if (pattern !== 'end' && pattern.test(text)) return text;
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' };
      if (done) return pattern === 'end' ? text : Promise.reject(new Error(`ended after ${text}`));
      text += value;
    }
  };
  /** What was sent until the stream ended, which it has to within its heartbeat. */
  const ended = async () => {
    const late = sleep(30_000).then(() => 'goes on');
    const text = await Promise.race([until('end'), late]);
    expect(text, 'the stream ends').not.toBe('goes on');
    return text;
  };
  expect(await until(/event: task.updated\n.*\n\n/)).toContain('"progress_percent":42');
  return { task, until, ended };
}

describe('the stream of a task in the dashboard', () => {
  it('tells of changes, and ends with the task', async () => {
    const { task, until, ended } = await opened(await somebody(service));
    await rows(service, 'update tasks set progress_percent = 77 where id = ?', task);
    await until(/"progress_percent":77/);
    await rows(
      service,
      "update tasks set status = 'completed', stage = 'done', completed_at = 1 where id = ?",
      task,
    );
    expect(await ended()).toContain('event: task.completed');
  });

  it('ends with the session', async () => {
    const one = await somebody(service);
    const { ended } = await opened(one);
    await one.browser.open('/app/settings');
    await one.browser.submit('/app/sign-out');
    expect(await ended()).not.toContain('task.completed');
  });

  it('ends when the session expires', async () => {
    const one = await somebody(service);
    const { ended } = await opened(one);
    await rows(
      service,
      'update sessions set expires_at = 1 where person_id = (select id from people where email = ?)',
      one.email,
    );
    expect(await ended()).not.toContain('task.completed');
  });

  it('ends for a member who is removed, and goes on for the others', async () => {
    const [owner, guest] = [await somebody(service), await somebody(service)];
    await owner.browser.open(`${owner.account}/members`);
    await owner.browser.submit(`${owner.account}/members`, { email: guest.email, role: 'member' });
    await guest.browser.open('/app/accounts');
    await guest.browser.submit(/\/app\/invitations\/[^/]+\/accept/.exec(guest.browser.text)?.[0] ?? '');
    const theirs = await opened(owner, guest.browser);
    const own = await opened(owner);
    const [person] = await rows<{ id: string }>(
      service,
      'select id from people where email = ?',
      guest.email,
    );
    await owner.browser.open(`${owner.account}/members`);
    await owner.browser.submit(`${owner.account}/members/${person?.id}/remove`);
    expect(await theirs.ended()).not.toContain('task.completed');
    await rows(service, 'update tasks set progress_percent = 77 where id = ?', own.task);
    await own.until(/"progress_percent":77/);
    expect((await guest.browser.open(`${owner.account}/tasks/${own.task}/events`)).status).toBe(404);
  });
});
