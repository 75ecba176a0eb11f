import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('npm run deploy goes on where ffmpeg cannot be used, and says why the clips are missing', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/assets.ts', '--clips'], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...process.env, FFMPEG: '/missing/ffmpeg' },
  });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^No previews and examples: ffmpeg cannot be used \(.*\)\n$/);
});
