import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { type Service, startService } from '../../harness.ts';
import { mailsTo } from './browser.ts';
import { rows } from './rows.ts';
import { makeKey, type Somebody, somebody, sweep } from './somebody.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

const patient = { timeout: 20_000 };

const use = (id: string, day: string, operation: string, completed: number, failed: number) =>
  rows(
    service,
    'insert into usage_days values (?, ?, ?, ?, ?, 90, 60, 30, 2000000, 1500)',
    ...[id, day, operation, completed, failed],
  );

describe('the page of usage', () => {
  it('has a bar for every day with usage, and the same numbers in tables', async () => {
    const [one, other] = [await somebody(service), await somebody(service)];
    await use(one.id, '2026-10-01', 'cut', 3, 1);
    await use(one.id, '2026-10-03', 'cut', 2, 0);
    await use(one.id, '2026-10-03', 'probe', 10, 0);
    await use(other.id, '2026-10-02', 'crop', 70, 0);
    const { status } = await one.browser.open(`${one.account}/usage?from=2026-10-01&to=2026-10-05`);
    const { text } = one.browser;
    expect(status).toBe(200);
    const bars = [...text.matchAll(/<rect[^>]*><title>([^<]*)<\/title>/g)].map(([, title]) => title);
    expect(bars).toEqual(['2026-10-01: 3', '2026-10-03: 12']);
    const row = (name: string) =>
      new RegExp(`<th scope="row">${name}</th>((?:<td>[^<]*</td>)*)`).exec(text)?.[1];
    expect(row('cut')).toBe(
      '<td>5</td><td>1</td><td>3 min</td><td>2 min</td><td>1 min</td><td>4 MB</td><td>3 kB</td>',
    );
    expect(row('All')).toContain('<td>15</td><td>1</td>');
    expect(row('2026-10-03 probe')).toContain('<td>10</td><td>0</td>');
    expect(text).not.toContain('crop');
    expect(text).not.toMatch(/ style=/);
  });

  it('shows another figure, and says what is wrong with a range', async () => {
    const one = await somebody(service);
    await use(one.id, '2026-10-01', 'cut', 3, 1);
    await one.browser.open(`${one.account}/usage?from=2026-10-01&to=2026-10-01&figure=bytes_read`);
    expect(one.browser.text).toContain('<title>2026-10-01: 2 MB</title>');
    for (const [query, said] of [
      ['from=2026-10-02&to=2026-10-01', 'must not be later'],
      ['from=2020-01-01&to=2026-10-01', 'must not exceed 366 days'],
      ['from=yesterday', 'from'],
    ]) {
      expect((await one.browser.open(`${one.account}/usage?${query}`)).status).toBe(422);
      expect(one.browser.text).toContain(said);
    }
    expect((await one.browser.open(`${one.account}/usage?from=&to=&figure=`)).status).toBe(200);
    expect(one.browser.text).toContain('No task ended between');
  });

  it('gives the same as CSV', async () => {
    const one = await somebody(service);
    await use(one.id, '2026-10-01', 'cut', 3, 1);
    const response = await one.browser.send(`${one.account}/usage/csv?from=2026-10-01&to=2026-10-02`);
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="usage-2026-10-01-2026-10-02.csv"',
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(
      'date,operation,completed,failed,source_seconds,output_seconds,processing_seconds,bytes_read,bytes_stored\r\n' +
        '2026-10-01,cut,3,1,90,60,30,2000000,1500\r\n',
    );
  });

  it('shows how much of the plan is in use', async () => {
    const one = await somebody(service);
    const key = await makeKey(one);
    const clip = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };
    await service.submit('/cut', clip, key);
    await one.browser.open(`${one.account}/usage`);
    expect(one.browser.text).toContain(`1 of ${plans.basic.creations_per_minute}`);
  });
});

describe('a limit of the plan', () => {
  const { running, waiting } = plans.basic;
  const clip = { video_url: 'https://media.example.com/talk.mp4', duration: 5 };
  const notices = (id: string) =>
    rows<{ limit_name: string; percent: number; mailed_at: number | null }>(
      service,
      'select limit_name, percent, mailed_at from limit_notices where account_id = ? order by limit_name, percent',
      id,
    );
  const subjects = async ({ email }: Somebody) =>
    (await mailsTo(service, email)).map(({ subject }) => subject).filter((text) => text.includes('%'));

  it('is reported to the owners at 80 and at 100 %, once each in a month', async () => {
    const one = await somebody(service);
    const key = await makeKey(one);
    const fill = Math.ceil(waiting * 0.8) + running;
    for (let count = 1; count < fill; count++) await service.submit('/cut', clip, key);
    expect(await notices(one.id)).toEqual([]);
    await service.submit('/cut', clip, key);
    await expect.poll(() => notices(one.id), patient).toMatchObject([{ limit_name: 'waiting', percent: 80 }]);
    await sweep(service);
    const first = `${one.email}: 80 % of queued tasks`;
    await expect.poll(() => subjects(one), patient).toEqual([first]);
    const [mail] = await mailsTo(service, one.email);
    expect(mail?.text).toContain(`${waiting} queued tasks`);
    expect(mail?.text).toContain(`${one.account}/usage`);

    for (let count = fill; count < running + waiting; count++) await service.submit('/cut', clip, key);
    expect((await service.request('/cut', { key, json: clip })).status).toBe(429);
    await expect
      .poll(async () => (await notices(one.id)).map(({ percent }) => percent), patient)
      .toContain(100);
    await sweep(service);
    await sweep(service);
    const second = `${one.email}: 100 % of queued tasks`;
    await expect.poll(async () => (await subjects(one)).toSorted(), patient).toContain(second);
    expect(await subjects(one)).toHaveLength(new Set(await subjects(one)).size);
    // The object of the account restarts and meets the limit again.
    await service.restart();
    expect((await service.request('/cut', { key, json: clip })).status).toBe(429);
    await sweep(service);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect((await subjects(one)).filter((text) => text.endsWith('queued tasks'))).toHaveLength(2);
  });

  it('that is passed at once gives one mail, to owners and not to members', async () => {
    const [one, guest] = [await somebody(service), await somebody(service)];
    const [person] = await rows<{ id: string }>(
      service,
      'select id from people where email = ?',
      guest.email,
    );
    await rows(service, "insert into members values (?, ?, 'member', 1)", one.id, person?.id);
    for (const percent of [80, 100]) {
      await rows(
        service,
        "insert into limit_notices values (?, 'creations_per_minute', '2026-11', ?, ?, null)",
        ...[one.id, percent, Date.now()],
      );
    }
    await sweep(service);
    await expect
      .poll(() => subjects(one), patient)
      .toEqual([`${one.email}: 100 % of task creations per minute`]);
    expect((await notices(one.id)).every(({ mailed_at }) => mailed_at !== null)).toBe(true);
    expect(await subjects(guest)).toEqual([]);
  });
});
