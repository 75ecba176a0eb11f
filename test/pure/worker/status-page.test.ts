import { expect, test } from 'vitest';
import { PROBE_MINUTES, statusPartNames, statusParts } from '../../../schema/api/status.ts';
import { statusPage } from '../../../worker/http/status/status-page.ts';

test('The status of a service before its first probe says how often they run, which holds for npm start too', async () => {
  const checked_at = '2026-11-30T12:00:00.000Z';
  const parts = statusPartNames.map((name) => ({
    ...{ name, title: statusParts[name].title, state: 'up' as const, checked_at, uptime_percent: null },
    days: [{ day: '2026-11-30', probes: 0, failed: 0 }],
  }));
  const report = { state: 'up' as const, version: '1.0.0', checked_at, parts };
  const page = await statusPage(
    { ...report, task_minutes: 5, overhead: [], incidents: [] },
    'https://spool.example.com',
  );
  expect(page).toContain(`No probe has run yet. They run every ${PROBE_MINUTES} minutes.`);
  expect(page).not.toContain('npm start');
});
