import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { examples, examplesAt } from '../../schema/api/examples.ts';
import { type OperationName, operationNames, operations } from '../../schema/operations/index.ts';
import { commonFields } from '../../schema/operations/operation.ts';
import type { TaskError } from '../../schema/task/task.ts';
import { sampleFiles, withSamples } from '../../worker/services/docs/stand-ins.ts';
import { chromiumPath } from '../browser/player.ts';
import { type Service, startService } from '../harness.ts';
import { fitting, mutated } from '../security/bodies.ts';
import type { Schema } from '../security/routes.ts';
import { Browser, signIn } from '../worker/pages/browser.ts';
import { writeTask } from '../worker/pages/task-rows.ts';
import { resultOf, type StandIn, startStandIn } from '../worker/stand-in.ts';
import { type Chromium, overflows, startChromium, violations } from './chromium.ts';

let service: Service;
let transcoder: StandIn;
let browser: Chromium;
let origin: string;
/** The path of the playground of the account. */
let playground: string;
let cookies: { name: string; value: string; url: string }[];

beforeAll(async () => {
  if (!chromiumPath) return;
  transcoder = await startStandIn();
  service = await startService(async (url) => {
    origin = `http://localhost:${url.port}`;
    return {
      TRANSCODER_URL: transcoder.origin,
      MAIL: 'outbox',
      SIGN_UP: 'trial',
      PUBLIC_URL: origin,
      SPOOL_DEV_ORIGINS: origin,
    };
  });
  const visitor = new Browser(service, origin);
  const { path } = await signIn(service, visitor, 'player@example.com');
  const account = path.split('/')[2] ?? '';
  playground = `/app/${account}/playground`;
  const { DB } = await service.bindings();
  await DB.prepare("update accounts set plan = 'elite' where id = ?").bind(account).run();
  cookies = [...visitor.cookies].map(([name, value]) => ({ name, value, url: origin }));
  browser = await startChromium((message) =>
    // A refused request is an error of the network, too.
    /status of 4\d\d/.test(message.text()),
  );
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await transcoder?.close();
});

async function open(path: string, options: Parameters<Chromium['open']>[0] = {}): Promise<Page> {
  const page = await browser.open({ viewport: { width: 1280, height: 900 }, ...options });
  await page.context().addCookies(cookies);
  await page.goto(origin + path);
  return page;
}

const formOf = (name: OperationName, query = '') => `${playground}/${name}${query}`;
const requestIn = async (page: Page): Promise<unknown> =>
  JSON.parse(await page.getByLabel('Request', { exact: true }).inputValue());

/** What the fields say, without the text of the request that they were filled with. */
const rewritten = async (page: Page): Promise<unknown> => {
  await page.getByLabel('Request', { exact: true }).evaluate((element) => {
    (element as unknown as { value: string }).value = '';
  });
  await page.locator('.play > .fields').dispatchEvent('input');
  return requestIn(page);
};

describe.skipIf(!chromiumPath)('the form of an operation (needs Chromium)', () => {
  it.each(operationNames)('%s, filled with an example, says exactly its request', async (name) => {
    const page = await open(formOf(name));
    const names = await page
      .getByLabel('Example')
      .locator('option')
      .evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));
    const shown = examples.filter(({ operation }) => operation === name);
    const samples = Object.entries(sampleFiles).map(([kind, file]) => [
      kind,
      `${examplesAt(origin)}/${file}`,
    ]);
    const requests = [
      ...shown.map(({ request }) => JSON.stringify(request(examplesAt(origin)))),
      ...operations[name].examples.map(({ input }) =>
        withSamples(JSON.stringify(input), Object.fromEntries(samples)),
      ),
    ];
    // Those that can be run as they are come first.
    const hasPlaceholder = (text: string) => text.includes('//media.example.com/');
    const expected: unknown[] = [
      ...requests.filter((text) => !hasPlaceholder(text)),
      ...requests.filter(hasPlaceholder),
    ].map((text) => JSON.parse(text));
    expect(names).toHaveLength(expected.length);
    for (const [index, example] of names.entries()) {
      await page.goto(`${origin}${formOf(name, `?example=${example}`)}`);
      expect(await requestIn(page)).toEqual(expected[index]);
      expect(await rewritten(page)).toEqual(expected[index]);
    }
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('has no violation of axe, %s, and fits 360 px', async (colorScheme) => {
    const page = await open(playground, { colorScheme, viewport: { width: 360, height: 740 } });
    expect(['choice', await violations(page)]).toEqual(['choice', []]);
    for (const name of operationNames) {
      await page.goto(origin + formOf(name));
      // Everything unfolded and set.
      await page.evaluate(`for (const fold of document.querySelectorAll('details')) fold.open = true`);
      for (const box of await page.locator('.field .set input').all()) await box.check();
      expect([name, await violations(page)]).toEqual([name, []]);
      expect([name, await overflows(page)]).toEqual([name, false]);
    }
    await page.context().close();
  });

  it.each(operationNames)('%s keeps whatever request it shows', async (name) => {
    const page = await open(formOf(name));
    const schema = z.toJSONSchema(operations[name].input, { io: 'input' }) as Schema;
    const any = fc.oneof(fitting(schema), mutated(fitting(schema)).filter(isRequest));
    await fc.assert(
      fc.asyncProperty(fc.array(any, { minLength: 20, maxLength: 20 }), async (requests) => {
        const texts = requests.map((request) => JSON.stringify(request));
        expect((await shownAndRead(page, texts, false)).map(parsed)).toEqual(texts.map(parsed));
      }),
      { numRuns: 5, endOnFailure: true },
    );
    await page.context().close();
  });

  it.each(operationNames)('%s means the same when its fields are typed again', async (name) => {
    const page = await open(formOf(name));
    const { fields, input } = operations[name];
    const schema = z.toJSONSchema(input, { io: 'input' }) as Schema;
    // Without the rules between fields, which few random requests keep.
    let accepted = 0;
    const shape = z.strictObject({ ...fields, ...commonFields });
    await fc.assert(
      fc.asyncProperty(fc.array(fitting(schema), { minLength: 20, maxLength: 20 }), async (requests) => {
        const texts = requests.map((request) => JSON.stringify(request));
        const meant = (text: string) => shape.safeParse(parsed(text)).data ?? 'refused';
        expect((await shownAndRead(page, texts, true)).map(meant)).toEqual(texts.map(meant));
        accepted += texts.filter((text) => meant(text) !== 'refused').length;
      }),
      { numRuns: 5, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(0);
    await page.context().close();
  });

  it('is filled in by hand, in fields of every kind', async () => {
    const page = await open(formOf('crop'));
    const by = (label: string) => page.getByLabel(label, { exact: true });
    await by('video_url required').fill('https://media.example.com/talk.mp4');
    await page.getByText('More fields').click();
    await by('width').fill('50%');
    await by('height').fill('200');
    await by('fill').selectOption('blur');
    await by('Pick background').fill('#ff8800');
    await by('quality').selectOption('crf');
    await by('crf required').fill('20');
    await page.getByText('Fields of every operation').click();
    await by('dry_run').selectOption('true');
    await by('Set metadata').check();
    await page.getByRole('button', { name: 'Add to metadata' }).click();
    await page.keyboard.type('order');
    await by('value 1').fill('42');
    expect(await requestIn(page)).toEqual({
      ...{ video_url: 'https://media.example.com/talk.mp4', width: '50%', height: 200, fill: 'blur' },
      ...{ background: '#ff8800', quality: { crf: 20 }, dry_run: true, metadata: { order: '42' } },
    });
    await by('quality').selectOption('');
    await by('height').fill('');
    await by('Set metadata').uncheck();
    await by('dry_run').selectOption('Default (false)');
    expect(await requestIn(page)).toEqual({
      ...{
        video_url: 'https://media.example.com/talk.mp4',
        width: '50%',
        fill: 'blur',
        background: '#ff8800',
      },
    });

    await page.goto(origin + formOf('cut'));
    await by('Set segments').check();
    const first = page.getByRole('group', { name: 'segments 1' });
    await first.getByLabel('start').fill('1:05.5');
    await first.getByLabel('end').fill('70');
    await page.getByRole('button', { name: 'Add to segments' }).click();
    await page.keyboard.type('3');
    expect(await requestIn(page)).toEqual({ segments: [{ start: '1:05.5', end: 70 }, { start: 3 }] });
    await page.getByRole('button', { name: 'Move up segments 2' }).click();
    await page.getByRole('button', { name: 'Remove segments 2' }).click();
    expect(await requestIn(page)).toEqual({ segments: [{ start: 3 }] });

    await page.goto(origin + formOf('merge_urls'));
    await by('Set urls').check();
    await by('urls 1').selectOption('URL');
    await by('URL').fill('https://media.example.com/a.mp4');
    await by('urls 2').selectOption({ index: 2 });
    const clip = page.getByRole('group', { name: 'url, start' });
    await clip.getByLabel('url required', { exact: true }).fill('https://media.example.com/b.mp4');
    await clip.getByLabel('volume_db').fill('-3.5');
    expect(await requestIn(page)).toEqual({
      urls: ['https://media.example.com/a.mp4', { url: 'https://media.example.com/b.mp4', volume_db: -3.5 }],
    });

    await page.goto(origin + formOf('captions_auto'));
    await by('captions').selectOption({ index: 1 });
    await page.getByRole('textbox', { name: 'text', exact: true }).fill('One line\nand another');
    expect(await requestIn(page)).toEqual({ captions: 'One line\nand another' });
    await by('captions').selectOption({ index: 2 });
    expect(await requestIn(page)).toEqual({ captions: [{}] });
    await by('captions').selectOption('');
    await page.getByText('More fields').click();
    await by('Set style').check();
    await page.getByRole('group', { name: 'style' }).getByLabel('outline_px').fill('2');
    expect(await requestIn(page)).toEqual({ style: { outline_px: 2 } });

    await page.goto(origin + formOf('separate'));
    await by('Sample for audio_url').selectOption('song.m4a');
    await by('stems').selectOption('2');
    expect(await requestIn(page)).toEqual({ audio_url: `${examplesAt(origin)}/song.m4a`, stems: 2 });
    await page.context().close();
  });

  it.each([
    [
      'cut',
      {
        video_url: 'https://media.example.com/a.mp4',
        segments: [
          { start: 0, end: 1 },
          { start: 5, end: 4 },
        ],
      },
      '/segments/1/end',
      'segments 2',
    ],
    [
      'merge_urls',
      {
        urls: ['https://media.example.com/a.mp4', { url: 'https://media.example.com/b.mp4', start: 'soon' }],
      },
      '/urls/1/start',
      'urls 2',
    ],
    [
      'crop',
      { video_url: 'https://media.example.com/a.mp4', width: '50%', quality: { crf: 99 } },
      '/quality/crf',
      'quality',
    ],
    [
      'crop',
      { video_url: 'https://media.example.com/a.mp4', width: '50%', codec: 'vp9', format: 'mov' },
      '/codec',
      'codec',
    ],
    ['transcode', { format: 'webm' }, '/video_url', 'video_url'],
    [
      'probe',
      { url: 'https://media.example.com/a.mp4', metadata: { order: 'x'.repeat(600) } },
      '/metadata/order',
      'metadata',
    ],
    [
      'captions_auto',
      { video_url: 'https://media.example.com/a.mp4', style: { color: 'red' } },
      '/style/color',
      'style',
    ],
    ['probe', { url: 'https://127.0.0.2/a.mp4' }, '/url', 'url'],
  ] as const)('%s with %j shows the error at %s', async (name, request, pointer, label) => {
    const page = await open(formOf(name));
    await page.getByLabel('Request', { exact: true }).fill(JSON.stringify(request));
    await page.getByRole('button', { name: 'Run' }).last().click();
    const item = page.locator(`#problem [data-pointer="${pointer}"]`).first();
    const text = (await item.textContent()) ?? '';
    const field = page.locator('.field', { has: page.locator('.wrong', { hasText: text }) }).last();
    expect(await field.locator('.wrong:visible').allTextContents()).toEqual([text]);
    expect(await field.locator('[aria-invalid="true"]').count()).toBe(1);
    expect(await page.locator('.fields [aria-invalid="true"]').count()).toBe(1);
    const about = page.locator('.field', { has: page.locator('[aria-invalid="true"]') });
    expect((await about.first().textContent())?.startsWith(label.split(' ')[0] ?? '')).toBe(true);
    expect(await violations(page)).toEqual([]);
    // The link in the list leads to the field, where typing takes the error away.
    await item.getByRole('link').click();
    expect(await field.locator(':focus').count()).toBe(1);
    await page.context().close();
  });

  it('runs a request: dry first, then for its result, with the keyboard only', async () => {
    const page = await open(formOf('visualize', '?example=visualize-bars'));
    await page.locator('[name=dry]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dry run' }).waitFor();
    const id = new URL(page.url()).searchParams.get('task') ?? '';
    const job = await transcoder.jobOf(id);
    expect(job.input.dry_run).toBe(true);
    await transcoder.report(job, {
      ...{ type: 'progress', stage: 'analyzing', progress_percent: 40, eta_seconds: 3 },
    });
    await page.getByText('Running: analyzing').first().waitFor();
    await page.locator('button[type=submit]').last().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run', exact: true }).waitFor();
    const second = new URL(page.url()).searchParams.get('task') ?? '';
    expect(second).not.toBe(id);
    const made = resultOf(await transcoder.jobOf(second), 'a film');
    const { FILES } = await service.bindings();
    await FILES.put(made.files[0]?.key ?? '', 'a film');
    await transcoder.report(await transcoder.jobOf(second), { type: 'completed', result: made });
    await page.locator('#run').getByText('Completed').first().waitFor();
    expect(await page.locator('#run video').getAttribute('src')).toContain(second);
    expect(await violations(page)).toEqual([]);
    // What was typed is still there; after a reload, it comes from the task, without defaults.
    const { input } = operations.visualize;
    const before = input.parse(await requestIn(page));
    await page.reload();
    expect(input.parse(await requestIn(page))).toEqual(before);
    await page.locator('#run').getByText('Completed').first().waitFor();
    await page.context().close();
  });

  it('opens the request of a failed task with the error at the field of its source', async () => {
    const sources = ['https://media.example.com/a.mp4', { url: 'https://media.example.com/b.mp4' }] as const;
    const error: TaskError = {
      ...({
        code: 'source_not_media',
        title: 'Not media',
        detail: 'It is a text.',
        hint: 'Send media.',
      } as const),
      ...({ fault: 'source', retryable: false, stage: 'analyzing', source_index: 1 } as const),
    };
    const account = playground.split('/')[2] ?? '';
    const look = { operation: 'merge_urls', status: 'failed', stage: 'analyzing', error } as const;
    const id = await writeTask(service, account, {
      ...look,
      input: operations.merge_urls.input.parse({ urls: sources }),
    });
    const page = await open(playground.replace('playground', `tasks/${id}`));
    await page.getByRole('link', { name: 'Again with changes' }).first().click();
    const wrong = page.locator('.fields .wrong:visible');
    await wrong.getByText('It is a text.').waitFor();
    expect(await page.locator('.fields [aria-invalid="true"]').inputValue()).toBe(sources[1].url);
    await page.locator('#run').getByRole('link', { name: 'It is a text.' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('?new');
    expect(await wrong.count()).toBe(0);
    expect(await requestIn(page)).toMatchObject({ urls: [sources[0], { url: `${sources[1].url}?new` }] });
    await page.context().close();
  });

  it('takes the request as JSON without script, and shows errors and the task', async () => {
    const page = await open(formOf('probe'), { javaScriptEnabled: false });
    await page.getByText('need JavaScript').waitFor();
    await page.getByLabel('Request').fill('{"url": 5');
    await page.getByRole('button', { name: 'Run' }).last().click();
    await page.getByText('is not valid JSON').first().waitFor();
    await page.getByLabel('Request').fill('{"url": 5}');
    await page.getByRole('button', { name: 'Run' }).last().click();
    await page.getByText('/url must be').waitFor();
    expect(await page.getByLabel('Request').inputValue()).toBe('{"url": 5}');
    await page.getByLabel('Request').fill('{"url": "https://media.example.com/a.mp4?secret=1"}');
    await page.getByRole('button', { name: 'Run' }).last().click();
    await page.getByRole('heading', { name: 'Run', exact: true }).waitFor();
    await page.getByText('The part after').waitFor();
    expect(await requestIn(page)).toEqual({ url: 'https://media.example.com/a.mp4?redacted' });
    await page.context().close();
  });

  it('leaves no error in the console, and asks for nothing that its policy refuses', () => {
    expect(browser.complaints).toEqual([]);
  });
});

const isRequest = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const parsed = (text: string): unknown => JSON.parse(text);

/** Shows requests one after the other, and reads each from the fields alone. `typed`: after an edit of every field. */
function shownAndRead(page: Page, texts: readonly string[], typed: boolean): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const request = document.querySelector('[name=request]');
    const fields = document.querySelector('.play > .fields');
    const edit = (element) => element.dispatchEvent(new Event('input', { bubbles: true }));
    return ${JSON.stringify(texts)}.map((text) => {
      request.value = text;
      edit(request);
      request.value = '';
      if (${typed}) for (const input of fields.querySelectorAll('input:not([type=checkbox], [type=color]), textarea')) edit(input);
      edit(fields);
      return request.value;
    });
  })()`);
}
