import { afterAll, beforeAll, expect, it } from 'vitest';
import { statusReport } from '../../schema/api/status.ts';
import { UsageError } from '../../scripts/admin-input.ts';
import { type Execute, sqlText } from '../../scripts/d1.ts';
import { incidentCommands } from '../../scripts/incident-commands.ts';
import { type Service, startService } from '../harness.ts';
import { measured } from './records-at-scale.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(() => service.close());

/** As `wrangler d1 execute` runs them. */
const execute: Execute = async (...statements) => {
  const found: Record<string, unknown>[][] = [];
  for (const statement of statements)
    found.push(
      (await measured<Record<string, unknown>>(service, { sql: sqlText(statement), params: [] })).rows,
    );
  return found;
};

const admin = (command: keyof typeof incidentCommands, options: Record<string, string> = {}) =>
  incidentCommands[command].run(options, execute) as Promise<{ id: string }>;

/** An isolate knows the history for some seconds. */
const SHOWN = { timeout: 30_000, interval: 1000 };
const shown = async () =>
  statusReport.parse(await (await service.request('/status.json')).json()).incidents ?? [];

it('shows what the operator writes on the page, as JSON and in the feed', async () => {
  const title = 'Tasks wait <longer> than "usual" & O\'Brien\'s';
  const { id } = await admin('incident open', { title, text: 'We are looking into it.', part: 'task' });
  await admin('incident update', { id, text: 'A machine was replaced.' });
  await expect.poll(shown, SHOWN).toMatchObject([
    {
      ...{ id, title, part: 'task', closed_at: null },
      updates: [{ text: 'We are looking into it.' }, { text: 'A machine was replaced.' }],
    },
  ]);
  const page = await (await service.request('/status')).text();
  expect(page).toContain('<h2 id="open">');
  expect(page).toContain('Tasks wait &lt;longer&gt; than &quot;usual&quot; &amp; O&#39;Brien&#39;s');
  await admin('incident close', { id, text: 'It is over.' });
  await expect.poll(async () => (await shown())[0]?.closed_at, SHOWN).toEqual(expect.any(String));
  expect(await (await service.request('/status')).text()).not.toContain('<h2 id="open">');
  const feed = await (await service.request('/status.atom')).text();
  expect(feed).toContain(`<id>${service.url.origin}/status#${id}</id>`);
  expect(feed).toContain('(closed)</title>');
  expect(feed.indexOf('It is over.')).toBeLessThan(feed.indexOf('We are looking into it.'));
  expect(feed).not.toContain('<longer>');
});

const unknown = 'inc_00000000000000000000000000';

it.each([
  ['incident open', { text: 'x' }, '--title is missing'],
  ['incident open', { title: ' ', text: 'x' }, '--title is empty'],
  ['incident open', { title: 'x'.repeat(101), text: 'x' }, '--title is longer than 100 characters'],
  ['incident open', { title: 'x' }, '--text is missing'],
  ['incident open', { title: 'x', text: 'a\u0007' }, '--text contains control characters'],
  ['incident open', { title: 'x', text: 'x', part: 'disk' }, '--part: expected database, storage, queue'],
  ['incident update', { text: 'x' }, '--id is missing'],
  ['incident update', { id: 'task_1', text: 'x' }, '--id: expected an id such as inc_…'],
  ['incident update', { id: unknown, text: 'x' }, `There is no incident ${unknown}. See: npm run admin`],
  ['incident close', { id: unknown }, '--text is missing'],
] as const)('refuses %s with %j and says what to do', async (command, options, message) => {
  await expect(admin(command, options)).rejects.toThrow(UsageError);
  await expect(admin(command, options)).rejects.toThrow(message);
});

it('does not change a closed incident', async () => {
  const { id } = await admin('incident open', { title: 'x', text: 'x' });
  await admin('incident close', { id, text: 'x' });
  await expect(admin('incident update', { id, text: 'x' })).rejects.toThrow('is closed. If it has come back');
  await expect(admin('incident close', { id, text: 'x' })).rejects.toThrow('is closed');
});
