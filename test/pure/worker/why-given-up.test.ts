import { describe, expect, it } from 'vitest';
import { whyGivenUp } from '../../../worker/account/why-given-up.ts';

describe('a task that gets no other machine says how many', () => {
  it.each([
    [2, 0, 'tried twice, and each time its machine stopped unexpectedly.'],
    [0, 3, 'tried 3 times, and each time the machine could not process it.'],
    [
      ...[1, 2],
      'tried 3 times: once its machine stopped unexpectedly, and twice the machine could not process it.',
    ],
    [
      ...[2, 1],
      'tried 3 times: twice its machine stopped unexpectedly, and once the machine could not process it.',
    ],
  ] as [losses: number, failures: number, says: string][])(
    'it lost %i and could not be processed by %i',
    (losses, failures, says) => {
      expect(whyGivenUp(losses, failures)).toBe(`The task was ${says} It is not tried again.`);
    },
  );
});
