import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Progress, Spool } from '../../../client/src/index.ts';
import { Routes } from '../../faults/routes.ts';
import { type ServiceUnderFaults, startServiceUnderFaults } from '../../faults/service-under-faults.ts';
import { fixtures } from '../../fixtures/make.ts';

let rig: ServiceUnderFaults;
let folder: string;
const routes = new Routes();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-client-'));
  rig = await startServiceUnderFaults(fixtures, routes.target);
});
afterAll(async () => {
  await rig?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('a wait goes on while the transcoder is killed, and ends with the whole result of the next attempt', async () => {
  const account = await rig.service.createAccount('elite');
  const member = rig.member(await rig.storeLink());
  routes.set(account.id, () => member.url);
  await member.start();
  const spool = new Spool({ baseUrl: rig.service.url.origin, apiKey: account.key });
  const attempts = new Set<number>();
  let killed: Promise<void> | undefined;
  const onProgress = ({ task, status }: Progress) => {
    if (task) attempts.add(task.attempt);
    if (status !== 'processing' || killed) return;
    killed = member.signal('SIGKILL').then(() => member.start());
  };
  const out = await spool.transcode({ video_url: rig.media('pauses.mp4'), height: 360 }).wait({ onProgress });
  await killed;
  expect(out.task.attempt).toBe(2);
  expect([...attempts]).toContain(1);
  const path = await out.download(join(folder, 'out.mp4'));
  expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(out.output.sha256);
  const { directories, processes } = await member.close();
  expect([...directories, ...processes]).toEqual([]);
});
