import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { durationText } from '../../../worker/pages/words.ts';

const folder = resolve(import.meta.dirname, '../../../web/assets/static');
/** Runs a script without what it imports. */
const run = (name: string, globals: object) =>
  runInNewContext(readFileSync(resolve(folder, name), 'utf8').replaceAll(/^import .*$/gm, ''), {
    setTimeout,
    ...globals,
  });
const page = (status: number) =>
  new Response('<h1>Temporarily unavailable</h1>', { status, headers: { 'content-type': 'text/html' } });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['passkeyGet', 'Update it, or use another browser or way to sign in.'],
  ['passkeyCreate', 'Update it, or use another browser.'],
])('a form of a passkey (%s) that the browser does not know says what to use', (kind, next) => {
  const form = { dataset: { [kind]: '{}' }, addEventListener() {}, replaceWith: vi.fn() };
  const document = { querySelectorAll: () => [form], querySelector: () => null };
  run('passkey.js', { document, window: {}, h: (...[, , text]: string[]) => text });
  expect(form.replaceWith).toHaveBeenCalledWith(`This browser cannot use passkeys here. ${next}`);
});

it.each([0, 0.4, 9.6, 42, 59.5, 60, 65, 2534, 3599.5, 3600, 9000, 90_000])(
  'the script of a running task writes the time left as the service prints it: %d s',
  async (eta_seconds) => {
    const script = await import(new URL(`file://${folder}/duration.js`).href);
    const doing = { dataset: { events: '/events' }, textContent: '' };
    const sources: EventTarget[] = [];
    class Events extends EventTarget {
      constructor() {
        super();
        sources.push(this);
      }
    }
    const document = { querySelector: () => doing, querySelectorAll: () => [] };
    run('task.js', { document, EventSource: Events, durationText: script.durationText });
    const data = JSON.stringify({
      status: 'processing',
      stage: 'rendering',
      progress_percent: 41.7,
      eta_seconds,
    });
    for (const source of sources) source.dispatchEvent(new MessageEvent('task.updated', { data }));
    expect(doing.textContent).toBe(`41 %, about ${durationText(Math.max(1, Math.round(eta_seconds)))} left`);
  },
);

describe('the scripts of the dashboard, while the service is away for a moment:', () => {
  it.each([503, 429])('a part of a page that got %d is asked for again', async (status) => {
    const part = { id: 'now', dataset: { refresh: '/now' }, outerHTML: '<p>', querySelectorAll: () => [] };
    const fetch = vi.fn(async () => page(status));
    run('refresh.js', { document: { hidden: false, querySelectorAll: () => [part] }, fetch });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetch.mock.calls.length).toBeGreaterThan(3);
  });

  it('a part of a page is left as it is for somebody who is signed out', async () => {
    const part = { id: 'now', dataset: { refresh: '/now' }, outerHTML: '<p>', querySelectorAll: () => [] };
    const fetch = vi.fn(async () => page(404));
    run('refresh.js', { document: { hidden: false, querySelectorAll: () => [part] }, fetch });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('events of a task that were refused are asked for again, and in the end the page says what is wrong', async () => {
    const sources: Events[] = [];
    class Events extends EventTarget {
      static CLOSED = 2;
      readyState = 2;
      constructor() {
        super();
        sources.push(this);
        setTimeout(() => this.dispatchEvent(new Event('error')), 10);
      }
    }
    const reload = vi.fn();
    const document = { querySelector: () => ({ dataset: { events: '/events' } }) };
    run('task.js', { document, EventSource: Events, location: { reload } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([sources.length > 2, reload.mock.calls.length]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  describe('a file', () => {
    const made = { id: 'upl_1', url: null, parts: [], headers: {} };
    const send = async (...answers: Response[]) => {
      const fetch = vi.fn(async () => answers.shift() ?? page(503));
      vi.stubGlobal('fetch', fetch);
      const script = await import(new URL(`file://${folder}/upload.js`).href);
      script.acceptUploads('/uploads', 'token');
      const { signal } = new AbortController();
      const sent = script
        .upload(new File(['x'], 'talk.mp4'), { signal, onFraction() {} })
        .catch((error: Error) => error.message);
      await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
      await vi.advanceTimersByTimeAsync(30_000);
      return sent;
    };

    it('is sent all the same', async () => {
      expect(await send(page(503), Response.json(made), page(503), Response.json(made))).toBe('upload:upl_1');
    });

    it('that cannot be sent says so, and does not ask to sign in', async () => {
      expect(await send()).toBe('The service did not answer. Try again in a few seconds.');
    });

    it('of somebody who is signed out says that', async () => {
      expect(await send(page(200))).toBe(
        'Your session has ended. Run the request to sign in again: it stays as it is.',
      );
    });

    it('that was stored although the answer was lost is not stored again', async () => {
      const answers = [0, 412];
      class Request extends EventTarget {
        upload = new EventTarget();
        status = 0;
        open() {}
        getResponseHeader() {}
        send() {
          this.status = answers.shift() ?? 0;
          setTimeout(() => this.dispatchEvent(new Event(this.status === 0 ? 'error' : 'load')), 10);
        }
      }
      vi.stubGlobal('XMLHttpRequest', Request);
      const single = { ...made, url: 'https://storage.example.com/file' };
      expect(await send(Response.json(single), Response.json(made))).toBe('upload:upl_1');
      expect(answers).toEqual([]);
    });
  });
});
