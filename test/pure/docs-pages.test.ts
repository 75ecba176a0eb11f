import { globSync, readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { errorCodes, errorEntry } from '../../schema/api/errors.ts';
import { examples } from '../../schema/api/examples.ts';
import { planNames, planOf } from '../../schema/api/plans.ts';
import { voices } from '../../schema/media/voices.ts';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { stages } from '../../schema/task/task.ts';
import { options } from '../../web/search/options.ts';
import { wholeSchemas } from '../../worker/http/docs/component-schemas.ts';
import type { Site } from '../../worker/http/docs/pages/doc-page.ts';
import { allMarkdown, everyPage, htmlOf, markdownOf } from '../../worker/http/docs/pages/print-page.ts';
import { searchEntries } from '../../worker/http/docs/pages/search-entries.ts';
import { errorPath, operationPath } from '../../worker/http/docs/paths.ts';
import { markdown } from '../../worker/http/docs/print/block.ts';

const url = 'https://spool.test';
const site: Site = {
  url,
  schemas: wholeSchemas(),
  endpoints: [],
  samples: { video: `${url}/samples/sample.mp4`, photo: `${url}/examples/photo.jpg` },
  madeExamples: new Set(examples.map(({ file }) => file)),
  madePictures: new Set(),
  engines: { flite: true, kokoro: false },
};

function pageOf(path: string): string {
  const page = everyPage.find((one) => one.path === path);
  if (!page) throw new Error(`no page at ${path}`);
  return markdownOf(page, site);
}

describe('the pages of the documentation', () => {
  it('name every stage of a task, in the row of its status, and no other', () => {
    const rows = [
      ...pageOf('/docs/tasks').matchAll(/^\| `(?:queued|processing|completed)` \|.*\|([^|]*)\|$/gm),
    ];
    const named = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(named).toEqual([...stages]);
  });

  it('have addresses of their own, and say in one sentence what they are for', () => {
    expect(new Set(everyPage.map(({ path }) => path)).size).toBe(everyPage.length);
    for (const { path, summary } of everyPage)
      expect([path, summary]).toEqual([path, expect.stringMatching(/\.$/)]);
  });

  it.each(operationNames)('have one for %s with every field, example, result and error', (name) => {
    const { input, data, errors, examples: requests, work, summary } = operations[name];
    const text = pageOf(operationPath(name));
    expect(text).toContain(summary);
    expect(text).toContain(work);
    const common = pageOf('/docs/requests');
    for (const field of Object.keys(input.shape)) expect(`${text}${common}`).toContain(`- \`${field}\` (`);
    for (const field of Object.keys(data.shape)) expect(text).toContain(`- \`${field}\` (`);
    for (const code of errors) expect(text).toContain(errorPath(code));
    for (const { title } of requests) expect(text).toContain(title);
  });

  it('have one for every error that says what to do', () => {
    for (const code of errorCodes) {
      expect(pageOf(errorPath(code))).toContain(errorEntry(code).hint);
      expect(pageOf('/docs/errors')).toContain(errorEntry(code).hint);
    }
  });

  it.each([
    ['engine_unavailable', 'in a response, with status 422, and in a failed task'],
    ['source_forbidden', 'in a response, with status 422, and in a failed task'],
    ['internal_error', 'in a response, with status 500, and in a failed task'],
    ['task_failed', 'in a response, with status 409'],
    ['source_gone', 'in a failed task'],
  ] as const)('say of %s where it appears: %s', (code, where) => {
    expect(pageOf(errorPath(code)).split('\n')).toContain(`- **Appears** ${where}`);
    const [, inTasks = ''] = pageOf('/docs/errors').split('\n## Errors of failed tasks\n');
    expect(inTasks.includes(`\`${code}\``)).toBe(where.endsWith('in a failed task'));
  });

  it('have no comments in lines for a terminal: zsh takes them for commands and arguments when they are pasted', () => {
    const blocks = [...allMarkdown(site).matchAll(/^```sh\b.*\n([\s\S]*?)^```$/gm)].map(
      ([, lines = '']) => lines,
    );
    expect(blocks.length).toBeGreaterThan(50);
    expect(blocks.filter((lines) => /(^|\s)# /m.test(lines))).toEqual([]);
  });

  it('of the client say how it is installed before npm has it', () => {
    for (const path of ['/docs/typescript', '/docs/command-line'])
      expect([path, pageOf(path).includes('`npm pack ./client`')]).toEqual([path, true]);
  });

  it('begin no list with the status of an error', () => {
    expect(pageOf('/docs/errors')).toContain('\nHTTP 400. The request body is not valid JSON.');
    expect(pageOf('/docs/errors')).not.toMatch(/^\d+\. /m);
  });

  it('name every plan, preset, style and voice, and mark what this service does not have', () => {
    for (const name of planNames) expect(pageOf('/docs/limits')).toContain(planOf(name).title);
    const all = allMarkdown(site);
    for (const { value } of examples) expect(all).toContain(value);
    const list = pageOf('/docs/voices').split('\n');
    for (const { id, engine } of voices) {
      const row = list.find((line) => line.startsWith(`| \`${id}\``));
      expect(row).toContain(
        {
          ...{ flite: '| yes |', kokoro: '| not on this service |' },
          ...{ espeak_ng: '| unknown |', workers_ai_tts: '| unknown |' },
        }[engine],
      );
    }
  });

  it('know no operation by name: what they say of one comes from the registry', () => {
    const sources = globSync('worker/http/docs/{pages,print}/*.ts').concat('worker/http/docs/recipes.ts');
    expect(sources.length).toBeGreaterThan(10);
    const paths = operationNames.flatMap((name) => [
      `'${name}'`,
      `\`${operations[name].path}`,
      ` ${operations[name].path} `,
    ]);
    for (const file of sources) {
      const text = readFileSync(file, 'utf8');
      expect([file, paths.filter((path) => text.includes(path))]).toEqual([file, []]);
    }
  });

  it('replace the media of the examples by samples where there are some, and by nothing else', () => {
    expect(pageOf('/docs/operations/cut')).toContain(`"video_url": "${url}/samples/sample.mp4"`);
    expect(pageOf('/docs/operations/photo-animate')).toContain(`${url}/examples/photo.jpg`);
    expect(pageOf('/docs/operations/redub')).toContain('https://media.example.com/voice.mp3');
  });

  it('show HTML in a text as text', async () => {
    const { html } = markdown('a <script>alert(1)</script> [x](/y) `<b>`\n\n<img src=x>');
    expect(html).not.toMatch(/<script|<img|<b>/);
    for (const page of everyPage) expect(await htmlOf(page, site)).not.toMatch(/<script>|undefined|\[object/);
  });
});

describe('the search', () => {
  const index = new MiniSearch(options);
  index.addAll(searchEntries(everyPage, site));

  /** Written down before the search was tried. */
  const questions: [string, string][] = [
    ['how do I cut a video', '/docs/operations/cut'],
    ['trim start and end', '/docs/operations/cut'],
    ['join clips with a transition', '/docs/operations/merge-urls'],
    ['crop to 9:16', '/docs/operations/crop'],
    ['vertical video for tiktok', '/docs/guides/vertical-short'],
    ['remove silence from a podcast', '/docs/operations/silence-process'],
    ['podcast loudness LUFS', '/docs/guides/clean-a-podcast'],
    ['convert mov to webm', '/docs/operations/transcode'],
    ['extract audio as mp3', '/docs/operations/transcode'],
    ['burn in subtitles', '/docs/operations/captions-auto'],
    ['srt file', '/docs/operations/captions-auto'],
    ['text to speech', '/docs/operations/redub-tts'],
    ['which voices are there', '/docs/voices'],
    ['change a voice', '/docs/operations/redub-vc'],
    ['karaoke remove vocals', '/docs/operations/separate'],
    ['thumbnail contact sheet', '/docs/operations/frame'],
    ['last frame', '/docs/operations/frame-last'],
    ['duration and codec of a file', '/docs/operations/probe'],
    ['slide show of photos', '/docs/operations/photo-animate'],
    ['audio waveform video', '/docs/operations/visualize'],
    ['verify webhook signature', '/docs/guides/verify-a-webhook'],
    ['webhook retry schedule', '/docs/webhooks'],
    ['rate limit 429', '/docs/limits'],
    ['api key header', '/docs/keys'],
    ['idempotency key', '/docs/requests'],
    ['poll until completed', '/docs/tasks'],
    ['download link expires', '/docs/tasks'],
    ['source_not_media', '/docs/errors/source_not_media'],
    ['claude mcp config', '/docs/mcp'],
    ['deploy on cloudflare', '/docs/self-hosting'],
  ];

  it('finds the page for 30 questions among its first five results', () => {
    const missed = questions.flatMap(([question, path]) => {
      const found = index.search(question).map(({ id }) => String(id).split('#')[0]);
      const place = [...new Set(found)].indexOf(path);
      return place >= 0 && place < 5
        ? []
        : [`${question}: ${path} is ${place + 1}, before it ${[...new Set(found)].slice(0, 5)}`];
    });
    expect(missed).toEqual([]);
  });
});
