import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Children } from '../../scripts/lib/children.mjs';
import { findPrograms } from '../../scripts/lib/programs.mjs';
import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';

let folder: string;

/** Programs that only state their version, alone on PATH. */
function programs(versions: { ffmpeg: string; ffprobe: string }) {
  for (const [name, version] of Object.entries(versions)) {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho '${name} version ${version} Copyright (c) the FFmpeg developers'\n`);
    chmodSync(file, 0o755);
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-programs-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('FFMPEG', '');
  vi.stubEnv('FFPROBE', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

describe('the set-up of ffmpeg', () => {
  it.each([
    ['4.4.2-0ubuntu0.22.04.1', '4.4.2-0ubuntu0.22.04.1', 'ffmpeg is version 4.4.2'],
    ['n5.0.1', 'n5.0.1', 'ffmpeg is version 5.0.1'],
    ['7.1', '4.3.8-0+deb11u3', 'ffprobe is version 4.3.8'],
  ])('refuses ffmpeg %s with ffprobe %s, and says which is needed', async (ffmpeg, ffprobe, reason) => {
    programs({ ffmpeg, ffprobe });
    await expect(findPrograms(new Children())).rejects.toThrow(reason);
    await expect(findPrograms(new Children())).rejects.toThrow('5.1 or newer is needed');
  });

  it.each([
    '5.1',
    '5.1.9-0+deb12u1',
    'n7.1-static',
    '10.0',
    'N-109000-g1234567890',
    '2026-01-01-git-1234567',
  ])('takes version %s', async (version) => {
    programs({ ffmpeg: version, ffprobe: version });
    await expect(findPrograms(new Children())).resolves.toBeDefined();
  });
});

describe('a transcoder', () => {
  it('does not start with an ffmpeg that is too old', async () => {
    programs({ ffmpeg: '7.1', ffprobe: '4.4.2' });
    const own = { ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') };
    await expect(probeCapabilities(own)).rejects.toThrow('ffprobe is version 4.4.2; 5.1 or newer is needed');
  });
});
