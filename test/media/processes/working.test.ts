import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { endModule, forkModule } from '../../../transcoder/ffmpeg/fork.ts';
import { fixture } from '../../fixtures/make.ts';

const MAIN = fileURLToPath(new URL('../../../transcoder/media/libav/child/main.ts', import.meta.url));

test('a libav process says that it works though no part of the result is done', async () => {
  const path = await fixture('plain.mp4');
  const source = { path, format: 'mov', bytes: (await stat(path)).size, present: null, near: null };
  const child = forkModule(MAIN, { confinement: null });
  const heard: string[] = [];
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('message', ({ type }: { type: string }) => {
      heard.push(type);
      if (type === 'ready')
        child.send({ kind: 'packets', source, stream: 0, slack: 0, intervals: [[null, null]] });
      if (type === 'answered' || type === 'failed') resolve();
    });
  });
  endModule(child);
  expect(heard).toEqual(['ready', 'working', 'answered']);
});
