import { describe, expect, it } from 'vitest';
import { slotsFor, workerFault } from '../../scripts/lib/service.mjs';
import { variables } from '../../transcoder/env.ts';

describe('the transcoder of npm start', () => {
  it.each([
    [0, 2],
    [1, 2],
    [12, 12],
    [64, 64],
    [96, 64],
  ])('has on a machine with %i processors %i slots, which it takes', (processors, slots) => {
    expect(slotsFor(processors)).toBe(slots);
    expect(variables.slots.schema.parse(String(slots))).toBe(slots);
  });
});

describe('the Worker of npm start', () => {
  const line = (fields: object) =>
    `\x1b[31m✘ [ERROR] ${JSON.stringify({ level: 'error', event: 'request_failed', time: 'now', ...fields })}\x1b[0m\n`;
  const wrong = 'SPOOL_DEV_ORIGINS: must be loopback origins; it is "http://10.0.0.1:1"';

  it('is not waited for if its log says that a setting is wrong, or that it does not build', () => {
    const failed = line({
      request_id: 'req_1',
      path: '/healthz',
      error: `Error: ${wrong}\n    at readConfig`,
    });
    expect(workerFault(`Ready\n${failed}${failed}GET /healthz 500\n`)).toBe(`The Worker fails: ${wrong}`);
    expect(workerFault('✘ [ERROR] Build failed with 1 error')).toContain('does not build');
  });

  it('is waited for whatever else fails', () => {
    expect(workerFault('')).toBeNull();
    expect(workerFault(line({ path: '/readyz', error: 'Error: no answer' }))).toBeNull();
  });
});
