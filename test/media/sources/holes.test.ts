import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { fixture, mediaFixtures } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { libav } from '../operate.ts';
import { withHoles } from './holes.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-holes-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const END = 1e6;

test.each(sampled(mediaFixtures(), 3))(
  '%s is learnt the same from wherever it is read, as it comes',
  async (name) => {
    const format = await demuxerOfFile(fixture(name));
    if (!libav || !format) throw new Error('libav cannot be loaded');
    const here = await completeSource({ path: fixture(name), format });
    const whole = await libav.ask({ kind: 'probe', source: here.parts() }, { sources: [here] });
    for (const near of [null, 1.5, END]) {
      const source = await withHoles(fixture(name), format, directory, near);
      const request = { kind: 'probe', source: source.parts() } as const;
      expect(await libav.ask(request, { sources: [source] })).toEqual(whole);
      expect(source.brought.length).toBeGreaterThan(0);
    }
  },
);
