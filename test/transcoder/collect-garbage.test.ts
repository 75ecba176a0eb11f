import { expect, test } from 'vitest';
import { collectGarbage } from '../../transcoder/process/collect-garbage.ts';

const BYTES = 64 * 1024 * 1024;
const inUse = () => process.memoryUsage().arrayBuffers;

test('a large table that is no longer needed is gone at once', () => {
  collectGarbage();
  const before = inUse();
  (() => new Uint8Array(BYTES).fill(1))();
  // Small buffers of the test runner come and go meanwhile.
  expect(inUse()).toBeGreaterThan(before + (BYTES / 8) * 7);
  collectGarbage();
  expect(inUse()).toBeLessThan(before + BYTES / 8);
});
