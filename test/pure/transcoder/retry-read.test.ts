import { afterEach, expect, test, vi } from 'vitest';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { withRetries } from '../../../transcoder/source/retry-read.ts';

afterEach(() => {
  vi.useRealTimers();
});

const MB = 2 ** 20;
const truncated = () => new TaskFailure('source_truncated', 'The source sent fewer bytes than it announced.');

/** Reads again after a failure. @param bytes Those that arrive again in each second. */
const readAgain = (seconds: number, bytes: number) =>
  withRetries(new AbortController().signal, async (tries, repeated) => {
    if (!repeated) {
      tries.brought(MB);
      throw truncated();
    }
    for (let second = 0; second < seconds; second++) {
      vi.advanceTimersByTime(1000);
      tries.repeated(bytes);
      tries.signal.throwIfAborted();
    }
    tries.brought(MB);
  });

test('a file that an origin without ranges sends again may take longer than the patience without new bytes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  await expect(readAgain(60, MB)).resolves.toBeUndefined();
});

test('but not if nothing arrives', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  await expect(readAgain(60, 0)).rejects.toMatchObject({ code: 'source_truncated' });
});
