import { mkdtempSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  ConnectionError,
  localFile,
  NotFoundError,
  RateLimitError,
  RequestError,
  ServiceError,
  Spool,
  TaskFailedError,
} from '../../../client/src/index.ts';
import { newUpload } from '../../../schema/api/upload.ts';

const folder = mkdtempSync(join(tmpdir(), 'spool-uploads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Thrown = new (...args: never[]) => Error;
type Answer = (call: { method: string; path: string; body: unknown }) => Response | Promise<Response>;

/** A client whose requests are answered here. */
function spoolWith(answer: Answer) {
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const fetchHere = async (input: string | URL | Request, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(String(input));
    const read = typeof body === 'string' ? JSON.parse(body) : body;
    calls.push(`${method} ${pathname}`);
    bodies.push(read);
    return answer({ method, path: pathname, body: read });
  };
  const options = { baseUrl: 'https://spool.example.com', apiKey: 'key', retries: 0 };
  return { calls, bodies, spool: new Spool({ ...options, fetch: fetchHere as typeof fetch }) };
}

describe('a file larger than 4 GiB', () => {
  const size = 4_500_000_000;
  const path = join(folder, 'large.mp4');
  const file = openSync(path, 'w');
  truncateSync(path, size);
  writeSync(file, 'near the end', size - 100);

  it('is announced with its whole size', async () => {
    const { spool, bodies } = spoolWith(() => new Response('{}', { status: 422 }));
    await expect(spool.uploads.create(localFile(path))).rejects.toThrow(RequestError);
    expect(bodies).toEqual([{ file_name: 'large.mp4', size_bytes: size }]);
  });

  it('is sent with the right bytes beyond 4 GiB', async () => {
    const content = await localFile(path).open();
    const part = await content.slice(size - 100, size - 80);
    expect(await part.text()).toBe('near the end\0\0\0\0\0\0\0\0');
  });

  it('that becomes shorter while it is sent is refused', async () => {
    const content = await localFile(path).open();
    truncateSync(path, size - 90);
    await expect(Promise.resolve(content.slice(size - 100, size))).rejects.toThrow(
      `${path} has become shorter while it was sent.`,
    );
  });
});

describe('the media type of an upload', () => {
  it.each([
    ['video/mp4', 'video/mp4'],
    ['video/webm;codecs=vp8,opus', 'video/webm'],
    ['audio/webm ; codecs="opus"', 'audio/webm'],
    ['', undefined],
    ['recording', undefined],
    ['a video/mp4', undefined],
  ])('of a Blob with the type "%s" is %s', async (type, announced) => {
    const { spool, bodies } = spoolWith(() => new Response('{}', { status: 422 }));
    await expect(spool.uploads.create(new Blob(['video'], { type }))).rejects.toThrow(RequestError);
    expect(bodies).toEqual([
      { file_name: 'upload', size_bytes: 5, ...(announced === undefined ? {} : { media_type: announced }) },
    ]);
  });
});

describe('the name of an upload', () => {
  const announced = async (file: Parameters<Spool['uploads']['create']>[0], fileName?: string) => {
    const { spool, bodies } = spoolWith(() => new Response('{}', { status: 422 }));
    const options = fileName === undefined ? {} : { fileName };
    await expect(spool.uploads.create(file, options)).rejects.toThrow(RequestError);
    const [body] = bodies as { file_name: string }[];
    expect(newUpload.shape.file_name.safeParse(body?.file_name).success).toBe(fileName === undefined);
    return body?.file_name;
  };

  it.each([
    ['Größe 😀.mp4', 'Größe 😀.mp4'],
    [`${'a'.repeat(300)}.mp4`, `${'a'.repeat(196)}.mp4`],
    [`${'a'.repeat(50)}😀${'b'.repeat(195)}.mp4`, `${'b'.repeat(195)}.mp4`],
    ['a\\b\n/c\u007f.mp4', 'a_b__c_.mp4'],
    ['..', 'upload'],
    ['', 'upload'],
  ])('%j is announced as the service accepts it', async (name, shown) => {
    expect(await announced(new File(['video'], name))).toBe(shown);
  });

  it.each([`${'a'.repeat(250)}.mp4`, 'a\tb.mp4', 'ends\\'])('%j on disk is, too', async (name) => {
    const path = join(folder, name);
    writeFileSync(path, 'video');
    await announced(localFile(path));
  });

  it('that is given stays as it is', async () => {
    const given = 'a/b.mp4';
    expect(await announced(new File(['video'], 'c.mp4'), given)).toBe(given);
  });
});

describe('the uploads of a request', () => {
  const video = new Blob(['video']);
  const failed = {
    ...{ id: 'task_1', status: 'failed', stage: 'done', progress_percent: 0, eta_seconds: null },
    error: { code: 'internal', detail: 'An error.', title: '', hint: '', fault: 'service', retryable: true },
  };
  const completed = { ...failed, status: 'completed', error: null, output: { files: [] } };
  const json = (body: object, status = 200) => new Response(JSON.stringify(body), { status });

  /** Answers as a service does; `own` in its place where it returns something. */
  const withService = (own: (call: Parameters<Answer>[0]) => undefined | ReturnType<Answer>) => {
    let made = 0;
    return spoolWith((call) => {
      const answer = own(call);
      if (answer) return answer;
      if (call.path === '/uploads') {
        made += 1;
        const url = `https://store.example.com/${made}`;
        return json({ id: `upl_${made}`, url, headers: {}, parts: [] });
      }
      const id = /^\/uploads\/(\w+)\/complete/.exec(call.path)?.[1];
      return json(id === undefined ? completed : { id });
    });
  };
  const deleted = (calls: readonly string[]) => calls.filter((call) => call.startsWith('DELETE /uploads/'));
  const problem = (status: number, code: string) => json({ code, detail: 'No.' }, status);

  it.each([
    ['has failed', { '/task/task_1': () => json(failed) }, TaskFailedError],
    ['is deleted elsewhere', { '/task/task_1': () => problem(404, 'not_found') }, NotFoundError],
    ['is refused', { '/cut': () => problem(422, 'validation_failed') }, RequestError],
    ['finds the queue full', { '/cut': () => problem(429, 'queue_full') }, RateLimitError],
  ] as [string, Record<string, () => Response>, Thrown][])(
    'are deleted when the task %s',
    async (_, answers, ErrorClass) => {
      const { spool, calls } = withService(({ path }) => answers[path]?.());
      await expect(spool.cut({ video_url: video, duration: 1 }).wait()).rejects.toThrow(ErrorClass);
      await expect.poll(() => deleted(calls)).toEqual(['DELETE /uploads/upl_1']);
    },
  );

  it('are deleted when a later one fails', async () => {
    const { spool, calls } = withService(({ path }) =>
      path === '/2' ? problem(403, 'forbidden') : undefined,
    );
    const urls = [video, new Blob(['another'])];
    await expect(spool.mergeUrls({ urls }).wait()).rejects.toMatchObject({ status: 403 });
    await expect
      .poll(() => deleted(calls).sort())
      .toEqual(['DELETE /uploads/upl_1', 'DELETE /uploads/upl_2']);
    expect(calls).not.toContain('POST /merge_urls');
  });

  it('are deleted with the task', async () => {
    const { spool, calls } = withService(() => undefined);
    await spool.cut({ video_url: video, duration: 1 }).delete();
    await expect.poll(() => deleted(calls)).toEqual(['DELETE /uploads/upl_1']);
  });

  it.each([
    ['its connection breaks', () => Promise.reject(new TypeError('terminated')), ConnectionError],
    ['the service has an error', () => problem(503, 'unavailable'), ServiceError],
  ] as [string, () => ReturnType<Answer>, Thrown][])(
    'stay when %s: the task may exist, and reads them',
    async (_, answer, ErrorClass) => {
      const { spool, calls } = withService(({ path }) => (path === '/cut' ? answer() : undefined));
      await expect(spool.cut({ video_url: video, duration: 1 }).wait()).rejects.toThrow(ErrorClass);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(deleted(calls)).toEqual([]);
    },
  );

  it('stay when the waiting ends and the task runs on', async () => {
    const controller = new AbortController();
    const { spool, calls } = withService(({ path }) => {
      if (path === '/task/task_1') controller.abort();
      return undefined;
    });
    const waiting = spool.cut({ video_url: video, duration: 1 }).wait({
      ...{ signal: controller.signal, onProgress: () => controller.signal.throwIfAborted() },
    });
    await expect(waiting).rejects.toThrow(/abort/);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(deleted(calls)).toEqual([]);
  });
});

describe('a task that is being created', () => {
  const cut = { video_url: 'https://media.example.com/talk.mp4', duration: 1 };

  it('can be deleted although its signal was aborted, and nothing else is sent', async () => {
    let answer = (_: Response) => {};
    const controller = new AbortController();
    const { spool, calls } = spoolWith(({ path }) =>
      path === '/cut'
        ? new Promise((resolve) => {
            answer = resolve;
          })
        : new Response('{}'),
    );
    const task = spool.cut(cut, { signal: controller.signal });
    await expect.poll(() => calls).toEqual(['POST /cut']);
    controller.abort(new Error('enough'));
    await expect(task).rejects.toThrow('enough');
    await expect(task.wait()).rejects.toThrow('enough');
    const deleting = task.delete();
    answer(new Response(JSON.stringify({ id: 'task_1' }), { status: 202 }));
    await deleting;
    expect(calls).toEqual(['POST /cut', 'DELETE /task/task_1']);
  });

  it('that fails unseen leaves no unhandled rejection, also when the waiting was aborted before', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const { spool } = spoolWith(() => new Response('{}', { status: 422 }));
      await expect(spool.cut(cut).wait({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
      const later = spool.cut(cut);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await expect(later.wait()).rejects.toThrow(RequestError);
    } finally {
      process.removeListener('unhandledRejection', note);
    }
    expect(unhandled).toEqual([]);
  });
});
