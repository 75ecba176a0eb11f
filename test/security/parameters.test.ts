import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorEntry } from '../../schema/api/errors.ts';
import { operations } from '../../schema/operations/index.ts';
import { safeFileName } from '../../worker/lib/text/file-name.ts';
import { sampled } from '../sampled.ts';
import { serve } from './case.ts';
import { parameters } from './parameters.ts';
import { makeSeeds } from './seeds.ts';
import { type Stand, startStand } from './stand.ts';

const leak = /\/tmp|root:x:|spool-job|0x[0-9a-f]{6}|ffmpeg|libav|node:/;

let stand: Stand;
let seed: Buffer;
const tried: Record<string, number> = {};

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'spool-seeds-'));
  seed = (await makeSeeds(directory)).get('seed.mp4') ?? Buffer.alloc(0);
  await rm(directory, { recursive: true });
  stand = await startStand();
}, 120_000);
afterAll(() => stand.close());

describe.concurrent('a request with', () => {
  test.each(sampled(parameters, 5))(
    '$name is refused as it is described, or ends without fault of the service',
    {
      timeout: 180_000,
    },
    async ({ name, operation, input }) => {
      const { ending, detail } = await stand.attempt({
        name: `parameter ${parameters.findIndex((each) => each.name === name)}`,
        answer: () => serve(seed),
        request: (url) => ({ operation, input: input(url) }),
        // It has every operation.
        plan: 'boost',
        ends: [],
        within: 120,
      });
      tried[ending] = (tried[ending] ?? 0) + 1;
      expect(detail).not.toMatch(leak);
      const { success } = operations[operation].input.safeParse(input('https://media.example.com/a.mp4'));
      if (!success) expect(ending, detail).toMatch(/^(validation_failed|source_forbidden|source_not_https)$/);
      else if (ending !== 'completed')
        expect(errorEntry(ending).fault, `${ending}: ${detail}`).not.toBe('service');
    },
  );
});

describe('after all of this', () => {
  test('every name of a file is one that every file system takes', () => {
    for (const { input } of parameters) {
      const { output_name } = input('https://media.example.com/a.mp4');
      if (typeof output_name !== 'string') continue;
      expect(safeFileName(output_name)).toMatch(/^(?![.\- ])[^/\\:*?"<>|%\p{C}]{1,101}$/u);
    }
  });

  test('the service completes a good task and holds nothing of the bad ones', async () => {
    console.log(`${parameters.length} hostile parameters tried through the API`, tried);
    expect(await stand.goodTask()).toMatchObject({ ending: 'completed' });
    await expect.poll(() => stand.leftovers(), { timeout: 10_000 }).toEqual([]);
    expect(stand.transcoder.child.exitCode).toBeNull();
  });
});
