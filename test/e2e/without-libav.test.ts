import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNumbers } from '../fixtures/barcode.ts';
import { fixtures } from '../fixtures/make.ts';
import { type Checkout, withoutLibav } from '../transcoder/without-libav.ts';
import { type Stack, startStack } from './stack.ts';

let checkout: Checkout;
let stack: Stack;
let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'spool-e2e-'));
  checkout = withoutLibav();
  stack = await startStack(fixtures, { root: checkout.root });
});
afterAll(async () => {
  await stack.close();
  checkout.remove();
  rmSync(directory, { recursive: true, force: true });
});

describe('a service whose transcoder cannot load libav', () => {
  it('says so at /readyz and /capabilities', async () => {
    const ready = await stack.service.request('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({ checks: { transcoder: { ok: true, engine: 'ffmpeg' } } });
    const capabilities = await stack.service.request('/capabilities');
    expect(await capabilities.json()).toMatchObject({ engine: 'ffmpeg' });
    const said = stack.transcoder.logs.find(({ message }) =>
      String(message).startsWith('libav is unavailable'),
    );
    expect(JSON.stringify(said)).toContain('Could not load the node-av native binding');
    expect(stack.transcoder.workers()).toEqual([]);
  });

  it('cuts to the frame, and renders all of it', async () => {
    const { service } = stack;
    const created = await service.submit('/cut', {
      video_url: stack.media('plain.mp4'),
      start: 1.3,
      duration: 2.5,
    });
    const task = await service.finished(created.id);
    expect(task.status, JSON.stringify(task.error)).toBe('completed');
    expect(task.output?.data).toMatchObject({ copied_seconds: 0, rendered_seconds: 2.5 });
    const path = join(directory, 'cut.mp4');
    const response = await fetch(task.output?.file_url ?? '');
    writeFileSync(path, new Uint8Array(await response.arrayBuffer()));
    expect(await readNumbers(path)).toEqual(Array.from({ length: 75 }, (_, index) => 39 + index));
  });
});
