import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  test: {
    include: ['test/generators/**/*.test.ts'],
    globalSetup: ['test/fixtures/setup.ts'],
    testTimeout: 240_000,
    hookTimeout: 600_000,
  },
});
