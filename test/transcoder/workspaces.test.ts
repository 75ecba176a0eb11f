import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { LibavPool } from '../../transcoder/media/libav/pool.ts';
import { Workspaces } from '../../transcoder/task/workspaces.ts';

const log = jsonLog({}, () => {});

async function opened(slots: number) {
  const workDir = mkdtempSync(join(tmpdir(), 'spool-test-workspaces-'));
  const sandbox = await findSandbox({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' }, 'auto', log);
  const workspaces = await Workspaces.open({ workDir, sandbox, slots, log });
  onTestFinished(() => workspaces.close());
  const prepared = () => readdirSync(workspaces.standby).filter((name) => name !== 'code').length;
  return { workspaces, prepared, workDir };
}

test('a workspace is prepared for each free slot, and one for the next attempt if none is free', async () => {
  const { workspaces, prepared } = await opened(2);
  expect(prepared()).toBe(2);
  const first = await workspaces.take();
  await vi.waitFor(() => expect(prepared()).toBe(1));
  const second = await workspaces.take();
  await vi.waitFor(() => expect(prepared()).toBe(1));
  await first.close();
  expect(prepared()).toBe(1);
  await second.close();
  await vi.waitFor(() => expect(prepared()).toBe(2));
}, 60_000);

test('each has a directory and processes of its own, the prepared ones too', async () => {
  const { workspaces } = await opened(1);
  const [first, second] = [await workspaces.take(), await workspaces.take()];
  expect(first.directory).not.toBe(second.directory);
  await Promise.all([first.libav?.settled(), second.libav?.settled()]);
  const [own = [], others = []] = [first.libav?.pids, second.libav?.pids];
  expect(own.filter((pid) => others.includes(pid))).toEqual([]);
  await Promise.all([first.close(), second.close()]);
}, 60_000);

test('one that cannot be moved to its place leaves no process and no directory', async () => {
  const begun = vi.spyOn(LibavPool, 'begin');
  onTestFinished(() => begun.mockRestore());
  const { workspaces, workDir } = await opened(1);
  const [name = ''] = readdirSync(workspaces.standby).filter((each) => each !== 'code');
  // Linux replaces empty directories only.
  mkdirSync(join(workDir, name, 'occupied'), { recursive: true });
  const pool = begun.mock.results[0]?.value as LibavPool;
  expect(pool.pids).not.toEqual([]);
  await expect(workspaces.take()).rejects.toThrow('ENOTEMPTY');
  expect(pool.pids).toEqual([]);
  expect(readdirSync(workspaces.standby)).not.toContain(name);
  const next = await workspaces.take();
  await next.close();
}, 60_000);
