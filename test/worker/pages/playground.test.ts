import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examples, examplesAt } from '../../../schema/api/examples.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import type { Task } from '../../../schema/task/task.ts';
import { withSamples } from '../../../worker/services/docs/stand-ins.ts';
import { exampleOf, type Service, startService } from '../../harness.ts';
import { type StandIn, startStandIn } from '../stand-in.ts';
import type { Browser } from './browser.ts';
import { rows } from './rows.ts';
import { somebody } from './somebody.ts';

const sample = 'https://media.example.com/sample.mp4';

let service: Service;
let transcoder: StandIn;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({
    ...{ TRANSCODER_URL: transcoder.origin, MAIL: 'outbox', SIGN_UP: 'trial' },
    SAMPLE_URL: sample,
  });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

/** Somebody with a plan. */
async function player(plan = 'elite') {
  const one = await somebody(service);
  await rows(service, 'update accounts set plan = ? where id = ?', plan, one.id);
  return { ...one, playground: `${one.account}/playground` };
}
type Player = Awaited<ReturnType<typeof player>>;

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const requestIn = ({ text }: Browser): unknown =>
  JSON.parse(unescaped(/<textarea[^>]*name="request"[^>]*>([\s\S]*?)<\/textarea>/.exec(text)?.[1] ?? ''));
const onceIn = ({ text }: Browser) => /name="once" value="([^"]*)"/.exec(text)?.[1] ?? '';
const pointersIn = ({ text }: Browser) => [...text.matchAll(/data-pointer="([^"]*)"/g)].map(([, one]) => one);

async function send(one: Player, operation: string, request: unknown, more: Record<string, string> = {}) {
  const path = `${one.playground}/${operation}`;
  await one.browser.open(path);
  const text = typeof request === 'string' ? request : JSON.stringify(request);
  const answer = await one.browser.submit(path, { request: text, once: onceIn(one.browser), ...more });
  return { ...answer, id: new URL(answer.path, service.url).searchParams.get('task') ?? '' };
}

const clip = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

describe('the playground', () => {
  it('has every operation, and every example of each', async () => {
    const one = await player();
    await one.browser.open(one.playground);
    const linked = [...one.browser.text.matchAll(/playground\/(\w+)"/g)].map(([, name]) => name);
    expect(linked.sort()).toEqual([...operationNames].sort());
    for (const name of operationNames) {
      await one.browser.open(`${one.playground}/${name}`);
      expect(requestIn(one.browser)).toEqual({});
      const shown = [...one.browser.text.matchAll(/<option value="([^"]+)"/g)].map(([, value = '']) => value);
      const base = examplesAt(service.url.origin);
      const wanted = [
        ...examples.filter(({ operation }) => operation === name).map(({ request }) => request(base)),
        ...operations[name].examples.map(({ input }) =>
          JSON.parse(withSamples(JSON.stringify(input), { video: sample })),
        ),
      ];
      expect([name, new Set(shown).size]).toEqual([name, wanted.length]);
      // Those that can be run as they are come first.
      const others = (request: unknown) =>
        JSON.stringify(request).replaceAll(sample, '').includes('://media.example.com/') ||
        JSON.stringify(request).includes(base);
      const [asTheyAre = [], toChange = []] = [false, true].map((changed) =>
        wanted.filter((request) => others(request) === changed),
      );
      for (const [index, example] of shown.entries()) {
        await one.browser.open(`${one.playground}/${name}?example=${example}`);
        expect(requestIn(one.browser)).toEqual([...asTheyAre, ...toChange][index]);
      }
    }
    expect((await one.browser.open(`${one.playground}/cut?example=none`)).status).toBe(404);
    expect((await one.browser.open(`${one.playground}/nothing`)).status).toBe(404);
    expect((await one.browser.open(`${one.playground}/toString`)).status).toBe(404);
  });

  it('opens filled in from a page that is the same for everyone, in the account that is chosen if there are several', async () => {
    const one = await player();
    const { path } = await one.browser.open('/app/playground/crop');
    const [, example = ''] = /\?example=([\w-]+)/.exec(path) ?? [];
    expect(path).toBe(`${one.playground}/crop?example=${example}`);
    expect(requestIn(one.browser)).toHaveProperty('video_url');
    const other = await player();
    const role =
      'insert into members (account_id, person_id, role, created_at) select ?, id, ?, 1 from people where email = ?';
    await rows(service, role, other.id, 'member', one.email);
    await one.browser.open('/app/playground/crop');
    for (const { playground } of [one, other]) {
      expect(one.browser.text).toContain(`href="${playground}/crop?example=${example}"`);
      expect((await one.browser.open(`${playground}/crop?example=${example}`)).status).toBe(200);
      await one.browser.open('/app/playground/crop');
    }
  });

  it('offers the sample that the operator has set, and nothing of its own that tasks cannot read', async () => {
    const one = await player();
    await one.browser.open(`${one.playground}/cut`);
    const [, samples = ''] = /data-samples="([^"]*)"/.exec(one.browser.text) ?? [];
    expect(JSON.parse(unescaped(samples))).toEqual([{ title: 'sample.mp4', url: sample }]);
    await one.browser.open(`${one.playground}/photo_animate`);
    expect(one.browser.text).not.toContain('Can be run as they are');
    await one.browser.open(`${one.account}/home`);
    expect(unescaped(one.browser.text)).toContain(`"video_url":"${sample}"`);
  });

  it('fills examples with samples, and marks the addresses that are left to replace', async () => {
    const one = await player();
    const open = (path: string) => one.browser.open(`${one.playground}/${path}`);
    await open('transcode?example=webm-at-720p');
    expect(requestIn(one.browser)).toHaveProperty('video_url', sample);
    expect(pointersIn(one.browser)).toEqual([]);
    expect(one.browser.text).toContain('<optgroup label="Can be run as they are">');
    await open('redub?example=replace-the-audio-with-a-voice');
    expect(pointersIn(one.browser)).toEqual(['/voice_url']);
    expect(one.browser.text).toContain('This address is only an example.');
    await open('merge_urls?example=merge-urls-fade');
    expect(pointersIn(one.browser)).toEqual(['/urls/0', '/urls/1']);
  });

  it('shows names in errors as code', async () => {
    const one = await player();
    await send(one, 'cut', {});
    expect(one.browser.text).toContain('Give either <code>video_url</code> or <code>audio_url</code>.');
    expect(one.browser.text).not.toContain('`video_url`');
  });

  it('creates the task that the API would, dry or not', async () => {
    const one = await player();
    const { key } = await service.createAccount('elite');
    const request = { ...clip, metadata: { order: '7' }, start: '0:01' };
    const { id, status } = await send(one, 'cut', request);
    expect(status).toBe(200);
    const job = await transcoder.jobOf(id);
    const other = await service.submit('/cut', request, key);
    expect(job.input).toEqual((await transcoder.jobOf(other.id)).input);
    expect(job.input.dry_run).not.toBe(true);
    const dry = await send(one, 'cut', request, { dry: 'yes' });
    expect((await transcoder.jobOf(dry.id)).input.dry_run).toBe(true);
    const [row] = await rows<{ metadata: string }>(service, 'select metadata from tasks where id = ?', id);
    expect(JSON.parse(row?.metadata ?? '')).toEqual({ order: '7' });
  });

  it('fills the form from a task, without defaults and without what may be secret', async () => {
    const one = await player();
    const { id } = await send(one, 'cut', clip, { dry: 'yes' });
    expect(requestIn(one.browser)).toEqual(clip);
    expect(pointersIn(one.browser)).toEqual([]);
    const secret = { ...clip, video_url: `${clip.video_url}?token=not-for-pages` };
    await send(one, 'cut', secret);
    expect(one.browser.text).not.toContain('not-for-pages');
    expect(requestIn(one.browser)).toEqual({ ...clip, video_url: `${clip.video_url}?redacted` });
    expect(pointersIn(one.browser)).toEqual(['/video_url']);
    // The address of another operation leads to that of the task.
    const { path } = await one.browser.open(`${one.playground}/crop?task=${id}`);
    expect(path).toBe(`${one.playground}/cut?task=${id}`);
    const stranger = await player();
    for (const path of [`cut?task=${id}`, `cut/runs/${id}`]) {
      expect((await stranger.browser.open(`${stranger.playground}/${path}`)).status).toBe(404);
    }
  });

  it('refuses what the API refuses, with the same status, text and pointers, and keeps what was typed', async () => {
    const one = await player();
    const { key } = await service.createAccount('elite');
    const wrong: [string, unknown][] = [
      ['cut', '{"video_url": '],
      ['cut', '[]'],
      ['cut', 'null'],
      ['cut', { ...clip, start: -1, surprise: { a: 1 } }],
      [
        'cut',
        {
          video_url: clip.video_url,
          segments: [
            { start: 1, end: 2 },
            { start: 3, end: 2 },
          ],
        },
      ],
      ['crop', { video_url: clip.video_url, quality: { crf: 99 } }],
      ['merge_urls', { urls: ['https://media.example.com/a.mp4', { url: 'no' }] }],
      ['probe', { url: 'https://127.0.0.1/a' }],
      ['probe', { url: `task:task_${'0'.repeat(26)}` }],
      ['probe', `{"url": "https://media.example.com/${'a'.repeat(300_000)}"}`],
      ['probe', '{"__proto__": {"url": 1}, "url": "https://media.example.com/a.mp4"}'],
    ];
    for (const [name, request] of wrong) {
      const text = typeof request === 'string' ? request : JSON.stringify(request);
      const sent = await service.request(operations[name as 'cut'].path, {
        ...{ method: 'POST', key, body: text, headers: { 'content-type': 'application/json' } },
      });
      const problem = (await sent.json()) as {
        detail: string;
        errors?: { pointer: string; detail: string }[];
      };
      const { status } = await send(one, name, text);
      expect([text.slice(0, 60), status]).toEqual([text.slice(0, 60), sent.status]);
      const page = unescaped(one.browser.text);
      const { errors = [] } = problem;
      expect(pointersIn(one.browser)).toEqual(errors.map(({ pointer }) => pointer));
      for (const said of errors.length > 0 ? errors.map(({ detail }) => detail) : [problem.detail])
        expect(page.replaceAll(/<\/?code>/g, '`')).toContain(said);
      expect(page.includes(text)).toBe(true);
    }
  });

  it('takes requests as large as the API does', async () => {
    const one = await player();
    const captions = Array.from({ length: 3000 }, (_, index) => ({
      ...{ start: index, end: index + 0.5, text: `Größe ${index}` },
    }));
    const { id } = await send(one, 'captions_auto', { video_url: clip.video_url, captions });
    expect((await transcoder.jobOf(id)).input.captions).toEqual(captions);
  });

  it('takes documents of an editing program that are longer than other requests', async () => {
    const one = await player();
    const { otio, ...input } = exampleOf(operations.timeline);
    const long = { ...input, otio: { ...(otio as object), metadata: { of: 'x'.repeat(400_000) } } };
    expect((await send(one, 'timeline', long)).id).toMatch(/^task_/);
    expect((await send(one, 'cut', { ...clip, metadata: { of: 'x'.repeat(400_000) } })).status).toBe(413);
  });

  it('creates one task for a form that is sent twice, and another for the next form', async () => {
    const one = await player();
    const path = `${one.playground}/cut`;
    await one.browser.open(path);
    const fields = { request: JSON.stringify(clip), once: onceIn(one.browser) };
    const twice = await Promise.all([one.browser.post(path, fields), one.browser.post(path, fields)]);
    const again = await one.browser.post(path, fields);
    const places = [...twice, again].map(({ headers }) => headers.get('location'));
    expect(new Set(places.filter((place) => place !== null)).size).toBe(1);
    const next = await send(one, 'cut', clip);
    expect(places).not.toContain(next.path);
    const changed = await one.browser.post(path, {
      ...fields,
      request: JSON.stringify({ ...clip, start: 2 }),
    });
    expect(changed.status).toBe(303);
  });

  it('has the limits of the plan: operations, creations a minute, subscription', async () => {
    const one = await player('basic');
    expect((await send(one, 'redub_vc', { audio_url: clip.video_url })).status).toBe(403);
    await one.browser.open(one.playground);
    expect(one.browser.text).toContain('Not included in the plan Basic');
    let status = 200;
    for (let count = 0; count < 31; count++) ({ status } = await send(one, 'cut', clip));
    expect(status).toBe(429);
    await rows(service, "update accounts set subscription = 'inactive' where id = ?", one.id);
    expect((await send(one, 'cut', clip)).status).toBe(402);
  });

  it('takes the key of a provider, which is nowhere shown', async () => {
    const one = await player();
    const request = {
      ...{ audio_url: clip.video_url, consent: true, voice_id: 'abc' },
      provider: 'elevenlabs',
    };
    const { id } = await send(one, 'redub_vc', request, { provider_key: 'a-provider-key' });
    const { provider_key: sealed } = (await transcoder.jobOf(id)) as { provider_key?: string };
    expect(sealed).toMatch(/\S/);
    expect(sealed).not.toContain('a-provider-key');
    expect(one.browser.text).not.toContain('a-provider-key');
    expect((await send(one, 'redub_vc', request, { provider_key: 'schlüssel' })).status).toBe(422);
  });

  it('shows how a task goes until it has ended', async () => {
    const one = await player();
    const { id } = await send(one, 'cut', clip);
    const run = `${one.playground}/cut/runs/${id}`;
    const job = await transcoder.jobOf(id);
    await transcoder.report(job, {
      ...{ type: 'progress', stage: 'rendering', progress_percent: 40, eta_seconds: 3 },
    });
    await one.browser.open(run);
    expect(one.browser.text).toContain(`data-next="${run}"`);
    expect(one.browser.text).toContain('>Running: rendering<');
    expect(one.browser.text).toMatch(/<progress[^>]* value="40"/);
    const failure = {
      code: 'source_http_error',
      detail: 'It answered <b>404</b>.',
      stage: 'fetching',
    } as const;
    await transcoder.report(job, { type: 'failed', failure });
    await one.browser.open(run);
    expect(pointersIn(one.browser)).toEqual(['/video_url']);
    expect(one.browser.text).not.toContain('data-next');
    expect(one.browser.text).toContain('It answered &lt;b&gt;404&lt;/b&gt;.');
    expect(one.browser.text).toContain('/docs/errors#source_http_error');
    const task = (await rows<Task>(service, 'select * from tasks where id = ?', id))[0];
    expect(task?.status).toBe('failed');
  });
});
