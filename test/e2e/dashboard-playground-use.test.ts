import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplesAt } from '../../schema/api/examples.ts';
import { operations } from '../../schema/operations/index.ts';
import type { TaskError } from '../../schema/task/task.ts';
import { chromiumPath } from '../browser/player.ts';
import { writeTask } from '../worker/pages/task-rows.ts';
import { resultOf } from '../worker/stand-in.ts';
import { violations } from './chromium.ts';
import { Playground, requestIn } from './playground.ts';

let playground: Playground;

beforeAll(async () => {
  if (chromiumPath) playground = await Playground.start();
});
afterAll(() => playground?.close());

describe.skipIf(!chromiumPath)('using the form of an operation (needs Chromium)', () => {
  it('says on the page why nothing runs', async () => {
    const { complaints } = playground.browser;
    const before = complaints.length;
    const page = await playground.open(playground.formOf('cut'));
    await page.getByLabel('video_url', { exact: true }).fill('https://media.example.com/a.mp4');
    const said = page.locator('#problem');
    const run = page.getByRole('button', { name: 'Run' }).last();
    await page.route('**/playground/**', (route) => route.abort());
    await run.click();
    await expect.poll(() => said.textContent()).toBe('The service did not answer. Try again.');
    expect(await said.isVisible()).toBe(true);
    await page.unroute('**/playground/**');
    await page.route('**/playground/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
    await run.click();
    await expect.poll(() => said.textContent()).toBe('The service gave an unexpected answer. Try again.');
    await page.unroute('**/playground/**');
    // What this test lets fail, and nothing else.
    expect(complaints.splice(before)).toEqual([
      expect.stringContaining('net::ERR_FAILED'),
      expect.stringContaining('status of 502'),
    ]);
  });

  it('is filled in by hand, in fields of every kind', async () => {
    const page = await playground.open(playground.formOf('crop'));
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

    await page.goto(playground.origin + playground.formOf('cut'));
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

    await page.goto(playground.origin + playground.formOf('merge_urls'));
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

    await page.goto(playground.origin + playground.formOf('captions_auto'));
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

    await page.goto(playground.origin + playground.formOf('separate'));
    await by('Sample for audio_url').selectOption('song.m4a');
    await by('stems').selectOption('2');
    expect(await requestIn(page)).toEqual({
      audio_url: `${examplesAt(playground.origin)}/song.m4a`,
      stems: 2,
    });
    await playground.leave(page);
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
    const page = await playground.open(playground.formOf(name));
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
    await playground.leave(page);
  });

  it('takes errors away where items of a list move, and leaves the others', async () => {
    const page = await playground.open(playground.formOf('cut'));
    const segments = [
      { start: 2, end: 1 },
      { start: 0, end: 1 },
      { start: 5, end: 4 },
      { start: 8, end: 7 },
    ];
    const video_url = 'https://media.example.com/a.mp4';
    const wrongIn = (item: number) =>
      page
        .getByRole('group', { name: `segments ${item}` })
        .locator('.wrong:visible')
        .count();
    const wrong = async () => Promise.all(segments.map((_, index) => wrongIn(index + 1)));
    await page.getByLabel('Request', { exact: true }).fill(JSON.stringify({ video_url, segments }));
    await page.getByRole('button', { name: 'Run' }).last().click();
    await page.locator('#problem [data-pointer="/segments/3/end"]').first().waitFor();
    expect(await wrong()).toEqual([1, 0, 1, 1]);
    await page.getByRole('button', { name: 'Move up segments 3' }).click();
    expect(await requestIn(page)).toMatchObject({ segments: [{ start: 2 }, { start: 5 }, { start: 0 }, {}] });
    expect(await wrong()).toEqual([1, 0, 0, 1]);
    await page.getByRole('button', { name: 'Remove segments 2' }).click();
    expect(await wrong()).toEqual([1, 0, 0, 0]);
    expect(await page.locator('.fields [aria-invalid="true"]').count()).toBe(1);
    await playground.leave(page);
  });

  it('runs a request: dry first, then for its result, with the keyboard only', async () => {
    const page = await playground.open(playground.formOf('visualize', '?example=visualize-bars'));
    await page.locator('[name=dry]').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dry run' }).waitFor();
    const id = new URL(page.url()).searchParams.get('task') ?? '';
    const job = await playground.transcoder.jobOf(id);
    expect(job.input.dry_run).toBe(true);
    await playground.transcoder.report(job, {
      ...{ type: 'progress', stage: 'analyzing', progress_percent: 40, eta_seconds: 3 },
    });
    await page.getByText('Running: analyzing').first().waitFor();
    // The focus stays where it is, and a screen reader is not sent back to it.
    expect(await page.locator('#run-title:focus').count()).toBe(1);
    await page.locator('button[type=submit]').last().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run', exact: true }).waitFor();
    const second = new URL(page.url()).searchParams.get('task') ?? '';
    expect(second).not.toBe(id);
    const made = resultOf(await playground.transcoder.jobOf(second), 'a film');
    const { FILES } = await playground.service.bindings();
    await FILES.put(made.files[0]?.key ?? '', 'a film');
    await playground.transcoder.report(await playground.transcoder.jobOf(second), {
      type: 'completed',
      result: made,
    });
    await page.locator('#run').getByText('Completed').first().waitFor();
    expect(await page.locator('#run video').getAttribute('src')).toContain(second);
    expect(await violations(page)).toEqual([]);
    // What was typed is still there; after a reload, it comes from the task, without defaults.
    const { input } = operations.visualize;
    const before = input.parse(await requestIn(page));
    await page.reload();
    expect(input.parse(await requestIn(page))).toEqual(before);
    await page.locator('#run').getByText('Completed').first().waitFor();
    await playground.leave(page);
  });

  it('says that the session has ended, follows the run no longer, and has the request after the sign-in', async () => {
    const page = await playground.open(playground.formOf('visualize', '?example=visualize-bars'));
    await page.getByRole('button', { name: 'Run' }).last().click();
    await page.waitForURL(/\?task=/);
    await playground.transcoder.jobOf(new URL(page.url()).searchParams.get('task') ?? '');
    const { DB } = await playground.service.bindings();
    const shift = 1000 * 24 * 3600_000;
    await DB.prepare('update sessions set expires_at = expires_at - ?').bind(shift).run();
    const said = page.locator('#problem');
    await said.getByText('Your session has ended.').waitFor();
    let asked = 0;
    page.on('request', () => asked++);
    await page.waitForTimeout(1500);
    expect(asked).toBe(0);
    const typed = JSON.stringify({ audio_url: 'https://media.example.com/typed.mp3' });
    await page.getByLabel('Request', { exact: true }).fill(typed);
    await page.getByRole('button', { name: 'Run' }).last().click();
    await expect.poll(() => said.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(asked).toBeGreaterThan(0);
    const at = page.url();
    await said.getByRole('link', { name: 'Sign in again' }).click();
    await page.getByLabel('Your email address').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe(at.replace(playground.origin, ''));
    await DB.prepare('update sessions set expires_at = expires_at + ?').bind(shift).run();
    await page.goto(at);
    expect(await requestIn(page)).toEqual(JSON.parse(typed));
    // Only there, and once.
    await page.goto(at);
    expect(await requestIn(page)).toMatchObject({ width: 480 });
    await playground.leave(page);
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
    const look = { operation: 'merge_urls', status: 'failed', stage: 'analyzing', error } as const;
    const id = await writeTask(playground.service, playground.account, {
      ...look,
      input: operations.merge_urls.input.parse({ urls: sources }),
    });
    const page = await playground.open(`/app/${playground.account}/tasks/${id}`);
    await page.getByRole('link', { name: 'Edit and run again' }).first().click();
    const wrong = page.locator('.fields .wrong:visible');
    await wrong.getByText('It is a text.').waitFor();
    expect(await page.locator('.fields [aria-invalid="true"]').inputValue()).toBe(sources[1].url);
    await page.locator('#run').getByRole('link', { name: 'It is a text.' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('?new');
    expect(await wrong.count()).toBe(0);
    expect(await requestIn(page)).toMatchObject({ urls: [sources[0], { url: `${sources[1].url}?new` }] });
    await playground.leave(page);
  });

  it('takes the request as JSON without script, and shows errors and the task', async () => {
    const page = await playground.open(playground.formOf('probe'), { javaScriptEnabled: false });
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
    await playground.leave(page);
  });

  it('leaves no error in the console, and asks for nothing that its policy refuses', () => {
    expect(playground.browser.complaints).toEqual([]);
  });
});
