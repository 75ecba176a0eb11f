import { expect, test } from 'vitest';
import { collectGarbage } from '../../transcoder/process/collect-garbage.ts';

const BYTES = 64 * 1024 * 1024;
const held = () => process.memoryUsage().arrayBuffers;

test('a large table that is no longer needed is gone at once', () => {
  collectGarbage();
  const before = held();
  (() => new Uint8Array(BYTES).fill(1))();
  expect(held()).toBeGreaterThanOrEqual(before + BYTES);
  collectGarbage();
  expect(held()).toBeLessThan(before + BYTES / 8);
});
