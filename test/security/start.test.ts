import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { problem as problemSchema } from '../../schema/api/problem.ts';
import { secrets } from '../harness.ts';
import { app } from './routes.ts';

const root = join(import.meta.dirname, '..', '..');

describe('in production', () => {
  test.each([
    ['SPOOL_DEV_ORIGINS', 'http://127.0.0.1:9000'],
    ['SPOOL_DEV_DNS', '127.0.0.1:5353'],
  ])('a transcoder with %s does not start', (name, value) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['transcoder/start.mjs'], {
      cwd: root,
      encoding: 'utf8',
      timeout: 30_000,
      env: {
        PORT: '0',
        TRANSCODER_SECRET: secrets.TRANSCODER_SECRET,
        S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com',
        ...{ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
        [name]: value,
      },
    });
    expect(status).toBe(1);
    expect(stdout).not.toContain('listening');
    expect(stderr).toContain(`${name}: must not be set`);
  });

  test.each([
    ['SPOOL_DEV_ORIGINS', 'http://127.0.0.1:9000'],
    ['WEBHOOK_DNS_URL', 'http://127.0.0.1:9000/dns-query'],
  ])('a Worker with %s serves nothing', async (name, value) => {
    const env = { PUBLIC_URL: 'https://spool.example.com', ...secrets, [name]: value };
    for (const path of ['/cut', '/task/1', '/healthz', '/capabilities', '/mcp', '/docs', '/nothing']) {
      const response = await app.request(path, {}, env);
      const { code, detail } = problemSchema.parse(await response.json());
      expect([path, code]).toEqual([path, 'internal_error']);
      expect(detail).not.toContain(name);
    }
  });
});
