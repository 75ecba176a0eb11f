import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lock } from '../../scripts/lib/lock.mjs';
import { instanceAt } from '../../scripts/lib/paths.mjs';
import { startOf } from '../../scripts/lib/process-table.mjs';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'spool-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A process that runs throughout and is not this one. */
const other = process.ppid;

describe('the lock of a local service', () => {
  it.each([
    ['with its start time', `${other} ${startOf(other)}\n`],
    ['as an earlier release wrote it', `${other}\n`],
  ])('keeps a second service away while a process has it, %s, and names its file', (_, text) => {
    const instance = instanceAt(dir);
    writeFileSync(instance.lockFile, text);
    expect(() => lock(instance)).toThrow(`(process ${other} in ${instance.lockFile})`);
    expect(readFileSync(instance.lockFile, 'utf8')).toBe(text);
  });

  it('is free if its process has ended and another one has its id', () => {
    const instance = instanceAt(dir);
    writeFileSync(instance.lockFile, `${other} 1\n`);
    const release = lock(instance);
    expect(readFileSync(instance.lockFile, 'utf8')).toBe(`${process.pid} ${startOf(process.pid)}\n`);
    release();
    expect(() => readFileSync(instance.lockFile)).toThrow('ENOENT');
  });
});

describe('the start of a process', () => {
  afterEach(() => {
    vi.doUnmock('node:fs');
    vi.unstubAllEnvs();
  });

  it('is one moment in every time zone, also where only ps says it', async () => {
    vi.resetModules();
    vi.doMock('node:fs', async (original) => ({ ...(await original<object>()), existsSync: () => false }));
    const { startOf: startByPs } = await import('../../scripts/lib/process-table.mjs');
    const starts = ['Asia/Tokyo', 'America/Lima'].map((zone) => {
      vi.stubEnv('TZ', zone);
      return Date.parse(`${startByPs(other)} UTC`);
    });
    const [tokyo = Number.NaN, lima = Number.NaN] = starts;
    // ps of Linux rounds the same start to either of two seconds.
    expect(Math.abs(tokyo - lima)).toBeLessThan(2000);
  });
});
