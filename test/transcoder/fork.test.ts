import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endModule, forkModule } from '../../transcoder/ffmpeg/fork.ts';

test('a module of ours that opens media sees nothing of our environment', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-fork-'));
  const path = join(directory, 'module.mjs');
  await writeFile(path, 'process.send(Object.keys(process.env));');
  process.env.SPOOL_TEST_SECRET = 'not for children';
  const child = forkModule(path, { confinement: null });
  const [names] = (await once(child, 'message')) as [string[]];
  const ofNode = ['NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_CHANNEL_FD'];
  expect(names.filter((name) => !ofNode.includes(name)).toSorted()).toEqual([
    'HOME',
    'LANG',
    'MALLOC_MMAP_THRESHOLD_',
    'MALLOC_TRIM_THRESHOLD_',
    'PATH',
    'SVT_LOG',
  ]);
  endModule(child);
  await rm(directory, { recursive: true });
});
