import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

test('work that goes on is reported at once, then every second, and not while nothing is done', async () => {
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['performance'] });
  const { atWork, onWork } = await import('../../../transcoder/media/libav/child/at-work.ts');
  let reports = 0;
  onWork(() => {
    reports += 1;
  });
  atWork();
  expect(reports).toBe(1);
  for (let packet = 0; packet < 100; packet++) {
    vi.advanceTimersByTime(50);
    atWork();
  }
  expect(reports).toBe(6);
  vi.advanceTimersByTime(60_000);
  expect(reports).toBe(6);
});
