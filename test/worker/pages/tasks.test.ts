import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ErrorCode, errorEntry } from '../../../schema/api/errors.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import type { Task } from '../../../schema/task/task.ts';
import type { Result } from '../../../schema/task/wire.ts';
import { completedTask, EXAMPLE_ORIGIN } from '../../../worker/http/docs/example-tasks.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import type { Browser } from './browser.ts';
import { rows } from './rows.ts';
import { somebody } from './somebody.ts';
import { writeTask } from './task-rows.ts';

let service: Service;
let browser: Browser;
let account: string;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
  ({ browser, id: account } = await somebody(service));
});
afterAll(() => service.close());

const open = async (id: string) => {
  const { status } = await browser.open(`/app/${account}/tasks/${id}`);
  expect(status).toBe(200);
  return browser.text;
};

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** A result as a transcoder reports it, with its file in the bucket. */
async function resultWith(
  file: { role?: string; file_name: string; media_type: string },
  { text = 'x', ...more }: Partial<Result> & { text?: string } = {},
): Promise<Result> {
  const key = `t/${crypto.randomUUID()}`;
  const { FILES } = await service.bindings();
  await FILES.put(key, text);
  const facts = { duration: 5, width: null, height: null, fps: null, data: {}, time_map: [], warnings: [] };
  const sha256 = '0'.repeat(64);
  return { files: [{ role: 'main', ...file, key, file_size: bytes(text), sha256 }], ...facts, ...more };
}

async function exampleResult(name: OperationName): Promise<Result> {
  const { output } = completedTask(name);
  if (!output) throw new Error(name);
  const { file_name, media_type, data, time_map, duration, width, height, fps } = output;
  return resultWith({ file_name, media_type }, { data, time_map, duration, width, height, fps });
}

const shown: [RegExp, RegExp][] = [
  [/^video\//, /<video [^>]*src="\/task\/task_/],
  [/^audio\//, /<audio [^>]*src="\/task\/task_/],
  [/^image\//, /<img [^>]*src="\/task\/task_/],
  [/json$|^text\//, /<pre tabindex="0"><code>/],
];

describe('the first page', () => {
  it('offers files of the newest task until they have expired', async () => {
    const one = await somebody(service);
    const home = async () => (await one.browser.open(`${one.account}/home`)) && one.browser.text;
    await writeTask(service, one.id, { result: await exampleResult('cut') });
    expect(await home()).toMatch(/ download="/);
    await rows(service, 'update tasks set expires_at = ? where account_id = ?', Date.now() - 1000, one.id);
    expect(await home()).not.toMatch(/ download="/);
    expect(one.browser.text).toContain('Its files have expired and were deleted.');
  });
});

describe('the page of a task', () => {
  it.each(operationNames)('of %s shows its result, its data and its times', async (operation) => {
    const result = await exampleResult(operation);
    const { metadata: _, ...input } = operations[operation].input.parse(exampleOf(operations[operation]));
    const id = await writeTask(service, account, { operation, input, result });
    const text = await open(id);
    const [file] = result.files;
    const [, look] = shown.find(([type]) => type.test(file?.media_type ?? '')) ?? [];
    expect(look, `something is shown for ${file?.media_type}`).toBeDefined();
    expect(text).toMatch(look ?? /$^/);
    for (const name of Object.keys(result.data)) expect(text).toContain(`<code>${name}</code>`);
    expect(text.includes('<svg')).toBe(result.time_map.length > 0);
    expect(text).toContain(`POST ${operations[operation].path}`);
    for (const language of ['curl', 'TypeScript', 'Python']) {
      expect(text).toContain(`<figcaption>${language}</figcaption>`);
    }
    const [, again = ''] = /<a class="button" href="([^"]*)">Edit and run again</.exec(text) ?? [];
    expect(await browser.open(again)).toEqual({ status: 200, path: again });
    const [, filled = ''] =
      /<textarea[^>]*name="request"[^>]*>([\s\S]*?)<\/textarea>/.exec(browser.text) ?? [];
    const request = operations[operation].input.parse(JSON.parse(plain(filled)));
    expect(request, 'the form has the request of the task').toEqual({ ...input, metadata: {} });
    const { pathname, search } = new URL(
      /(?:src|href)="(\/task\/[^"]*)"/.exec(text)?.[1] ?? '',
      EXAMPLE_ORIGIN,
    );
    const download = await service.request((pathname + search).replaceAll('&amp;', '&'));
    expect(await download.text()).toBe('x');
  });

  it.each(operationNames)('of %s gives back the request of every example', async (operation) => {
    for (const { input } of operations[operation].examples) {
      const { metadata, ...parsed } = operations[operation].input.parse(input);
      const id = await writeTask(service, account, { operation, input: parsed, metadata });
      const text = await open(id);
      const [, request = ''] =
        /<figcaption>POST [^<]*<\/figcaption><pre tabindex="0"><code>([^<]*)</.exec(text) ?? [];
      const again = operations[operation].input.parse(JSON.parse(plain(request)));
      expect(again).toEqual({ ...parsed, metadata });
    }
  });

  it('draws the times and joints of a merge, each source in a bar of its own', async () => {
    const text = await open(
      await writeTask(service, account, {
        operation: 'merge_urls',
        result: await exampleResult('merge_urls'),
      }),
    );
    const svg = /<svg.*?<\/svg>/s.exec(text)?.[0] ?? '';
    expect(svg.match(/class="whole"/g)).toHaveLength(2);
    expect(svg.match(/<polygon/g)).toHaveLength(2);
    // The fade of a second, of the 71.4 s that the bar shows.
    expect(svg).toMatch(/class="joint" x="126.05" y="\d+" width="14.01"/);
    expect(text).toContain('fade at 0:09, 1 s');
    expect(text).not.toMatch(/\sstyle=/);
  });

  it('shows why a task failed, what to do, and where to read more', async () => {
    const { title, hint } = errorEntry('source_unreachable');
    const error = {
      ...failure('source_unreachable', 'The host did not answer within 10 s.'),
      source_index: 1,
    };
    const text = await open(
      await writeTask(service, account, { status: 'failed', stage: 'fetching', error }),
    );
    for (const part of [title, hint, error.detail, 'source 2.', '/docs/errors#source_unreachable']) {
      expect(plain(text)).toContain(part);
    }
    expect(text).toMatch(/<li class="failed" data-stage="fetching"/);
    await browser.open(`/app/${account}/home`);
    expect(plain(browser.text)).toContain(error.detail);
    expect(plain(browser.text)).toContain(hint);
  });

  it('says how long each stage took, where its end is known', async () => {
    const createdAt = Date.now() - 10_000;
    const at = (seconds: number) => createdAt + seconds * 1000;
    const stageTimes = { fetching: at(1), analyzing: at(1.25), rendering: at(2), uploading: at(3.5) };
    const stateOf = (text: string, stage: string) =>
      new RegExp(`data-stage="${stage}"[^>]*>${stage} <span class="state">([^<]*)<`).exec(text)?.[1];
    const whole = await open(await writeTask(service, account, { createdAt, stageTimes }));
    const shownTimes = ['fetching', 'analyzing', 'rendering', 'uploading'].map((name) =>
      stateOf(whole, name),
    );
    expect(shownTimes).toEqual(['done, 0.25 s', 'done, 0.75 s', 'done, 1.5 s', 'done, 0.5 s']);
    const { uploading: _, ...unfinished } = stageTimes;
    const partly = await open(await writeTask(service, account, { createdAt, stageTimes: unfinished }));
    expect(['rendering', 'uploading'].map((name) => stateOf(partly, name))).toEqual(['done', 'done']);
    const error = failure('render_failed', 'It stopped.');
    const failed = await open(
      await writeTask(service, account, {
        ...({ status: 'failed', stage: 'rendering' } as const),
        ...{ createdAt, stageTimes: unfinished, error: { ...error, stage: 'rendering' } },
      }),
    );
    expect(stateOf(failed, 'rendering')).toBe('failed here, 2 s');
    expect(stateOf(failed, 'uploading')).toBe('not reached');
  });

  it('says of a second attempt that there was a first', async () => {
    const text = await open(await writeTask(service, account, { attempt: 2 }));
    expect(text).toContain('2. The first one ended without a result');
  });

  it('shows a running task with its stage, and reloads without script by a link', async () => {
    const look = { status: 'processing', stage: 'rendering', progressPercent: 42 } as const;
    const id = await writeTask(service, account, look);
    const text = await open(id);
    expect(text).toMatch(/<progress max="100" value="42"/);
    expect(text).toMatch(/<li class="current" data-stage="rendering" aria-current="step"/);
    expect(text).toContain(`data-events="/app/${account}/tasks/${id}/events"`);
    expect(text).toContain(`<a href="/app/${account}/tasks/${id}">Reload</a>`);
  });

  it('shows what a dry run would make, and its warnings', async () => {
    const source = { container: 'mp4', duration: 60, file_size: 1e6, video: null, audio: null };
    const files = [{ role: 'video', file_name: 'talk.mp4', media_type: 'video/mp4' }];
    const facts = { duration: 5, width: 640, height: 360, fps: 25, data: { copied_seconds: 4 } };
    const plan = { sources: [source], files, ...facts, time_map: [{ source: 0, in: [1, 6], out: [0, 5] }] };
    const warnings = [{ code: 'source_vfr', detail: 'The frame rate varies.' }];
    const text = await open(await writeTask(service, account, { plan: { plan, warnings } as never }));
    for (const part of ['What it would make', 'talk.mp4', '640 × 360', 'The frame rate varies.', '<svg']) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('<video');
  });

  it('offers no file that has expired', async () => {
    const result = await exampleResult('cut');
    const id = await writeTask(service, account, { result, createdAt: Date.now() - 2 * 3600_000 });
    const text = await open(id);
    expect(text).toContain('expired');
    expect(text).not.toMatch(/href="\/task\/|src="\/task\//);
  });

  it('shows the beginning of a long text, and no half character', async () => {
    const file = { file_name: 'talk.srt', media_type: 'application/x-subrip' };
    const result = await resultWith(file, { text: `x${'ü'.repeat(20_000)}` });
    const text = await open(await writeTask(service, account, { result }));
    const [, shownText = ''] =
      /The beginning of talk.srt<\/figcaption><pre tabindex="0"><code>([^<]*)/.exec(text) ?? [];
    expect(shownText).toMatch(/^xü+$/);
    expect(bytes(shownText)).toBeGreaterThan(16_000);
    expect(bytes(shownText)).toBeLessThan(17_000);
  });

  it('is deleted after a question, with its files', async () => {
    const id = await writeTask(service, account, { result: await exampleResult('cut') });
    const path = `/app/${account}/tasks/${id}`;
    await browser.open(`${path}/delete`);
    expect(browser.text).toContain('This cannot be undone');
    expect((await browser.open(path)).status, 'the question changes nothing').toBe(200);
    await browser.open(`${path}/delete`);
    expect((await browser.submit(`${path}/delete`)).path).toBe(`/app/${account}/tasks`);
    expect((await browser.open(path)).status).toBe(404);
    await browser.open('/app/settings');
    expect((await browser.submit(`${path}/delete`)).status).toBe(404);
  });

  it('is found by the members of its account only', async () => {
    const id = await writeTask(service, account, { result: await exampleResult('cut') });
    const { browser: other, id: theirs } = await somebody(service);
    for (const path of ['', '/events', '/delete']) {
      expect((await other.open(`/app/${account}/tasks/${id}${path}`)).status).toBe(404);
      expect((await other.open(`/app/${theirs}/tasks/${id}${path}`)).status).toBe(404);
    }
    expect((await other.submit(`/app/${theirs}/tasks/${id}/delete`)).status).toBe(404);
    expect(await rows(service, 'select id from tasks where id = ?', id)).toHaveLength(1);
  });
});

function failure(code: ErrorCode, detail: string): NonNullable<Task['error']> {
  const { title, hint, fault, retryable } = errorEntry(code);
  return { code, detail, title, hint, fault, retryable, stage: 'analyzing' };
}

const plain = (html: string) =>
  html
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe('texts of callers and of media', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</code></pre><svg onload=alert(1)>',
    '</title><script>alert(1)</script>',
    'javascript:alert(1)',
    '&lt;script&gt;',
  ];

  /** Tasks with a text wherever a caller or a media file can put one. @returns the paths of their pages */
  async function tasksWith(text: string): Promise<string[]> {
    const file = { role: 'main', file_name: `${text}.mp4`, media_type: 'video/mp4' };
    const script = { role: 'text', file_name: text, media_type: 'text/plain' };
    const transcript = await resultWith(script, { text });
    const result = await resultWith(file, {
      data: { [text]: text, words: [{ text }], joints: [{ at: 1, duration: 1, type: text }] },
      time_map: [{ source: 0, in: [0, 5], out: [0, 5] }],
      warnings: [{ code: 'source_vfr', detail: text }],
    });
    const both = { ...result, files: [...result.files, ...transcript.files] };
    const about = {
      input: { video_url: `https://media.example.com/${encodeURI(text)}`, output_name: text },
      metadata: { [text.slice(0, 40)]: text },
    };
    const error = failure('source_not_media', text);
    const ids = [
      await writeTask(service, account, { result: both, ...about }),
      await writeTask(service, account, { status: 'failed', stage: 'analyzing', error, ...about }),
    ];
    return ids.map((id) => `/app/${account}/tasks/${id}`);
  }

  /** The tags of a page with the names of their attributes. */
  const skeleton = (html: string) =>
    (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''));

  it.each(hostile)('are shown as they are, and change nothing of the page around them: %s', async (text) => {
    const [harmless, tried] = [await tasksWith('harmless'), await tasksWith(text)];
    for (const [index, path] of tried.entries()) {
      await browser.open(harmless[index] ?? '');
      const expected = skeleton(browser.text);
      await browser.open(path);
      expect(skeleton(browser.text)).toEqual(expected);
      expect(plain(browser.text)).toContain(text);
    }
    const fields = new URLSearchParams({ key: text, value: text, status: text, from: text });
    for (const path of ['home', 'tasks', `tasks?${fields}`]) {
      await browser.open(`/app/${account}/${path}`);
      expect(plain(browser.text)).toContain(text);
      expect(browser.text).not.toMatch(/<script>|<img src=x|<svg onload|(?:href|src|action)="javascript:/);
    }
  });
});
