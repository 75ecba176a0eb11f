import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Children } from '../../scripts/lib/children.mjs';
import { findEngines, findPrograms } from '../../scripts/lib/programs.mjs';
import { parseConfig } from '../../transcoder/env.ts';
import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import { located } from '../../transcoder/ffmpeg/located.mjs';
import { jsonLog } from '../../transcoder/log.ts';

const names = ['ffmpeg', 'ffprobe'] as const;
const installed = {
  ffmpeg: located('ffmpeg', process.env.PATH),
  ffprobe: located('ffprobe', process.env.PATH),
};

/** Settings without which a transcoder does not start. */
const needed = {
  TRANSCODER_SECRET: 'x'.repeat(32),
  S3_ENDPOINT: 'https://account.r2.cloudflarestorage.com',
  S3_BUCKET: 'files',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};

let folder: string;

const script = (name: string, text: string) =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

/** Programs that only state their version, alone on PATH. */
function programs(versions: { ffmpeg: string; ffprobe: string }) {
  for (const [name, version] of Object.entries(versions))
    script(name, `echo '${name} version ${version} Copyright (c) the FFmpeg developers'`);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-programs-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('FFMPEG', '');
  vi.stubEnv('FFPROBE', '');
});

afterEach(() => {
  vi.restoreAllMocks();
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

describe('the set-up of what helps ffmpeg', () => {
  it.each([
    ['by its tools', () => {}, ['fc-list', 'bwrap', 'espeak-ng']],
    ['by its packages', () => script('dpkg-query', 'true'), ['fontconfig', 'bubblewrap', 'espeak-ng']],
  ])('names what a machine with ffmpeg lacks, %s', async (_, prepare, lacks) => {
    prepare();
    const said = vi.spyOn(console, 'log').mockReturnValue();
    await findEngines(new Children());
    const text = said.mock.calls.join('\n');
    for (const name of lacks) expect(text).toContain(name);
  });
});

describe('ffmpeg in a folder that is on the PATH of the user alone', () => {
  it('is found by its path, and run with it, in a sandbox where there is one', async () => {
    for (const name of names) symlinkSync(installed[name], join(folder, name));
    const found = await findPrograms(new Children());
    expect(found).toEqual({ ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') });
    const sandbox = await findSandbox(
      found,
      'auto',
      jsonLog({}, () => {}),
    );
    expect((await probeCapabilities({ ...found, sandbox })).encoders).toContain('libx264');
  });

  it.each([
    ['a name', () => 'ffmpeg', () => join(folder, 'ffmpeg')],
    ['a path', () => relative(process.cwd(), join(folder, 'ffmpeg')), () => join(folder, 'ffmpeg')],
    ['a name in no folder', () => 'ffmpeg9', () => 'ffmpeg9'],
    ['the name of a folder', () => 'below', () => 'below'],
    ['the name of a file that cannot be executed', () => 'text', () => 'text'],
  ])('is found by the transcoder, where the setting is %s', (_, named, path) => {
    programs({ ffmpeg: '7.1', ffprobe: '7.1' });
    mkdirSync(join(folder, 'below'));
    writeFileSync(join(folder, 'text'), '', { mode: 0o644 });
    const PATH = `relative${delimiter}${delimiter}${folder}`;
    expect(parseConfig({ ...needed, PATH, FFMPEG: named() }).ffmpeg).toBe(path());
  });
});

describe('a transcoder', () => {
  it('does not start with an ffmpeg that is too old', async () => {
    programs({ ffmpeg: '7.1', ffprobe: '4.4.2' });
    const own = { ffmpeg: join(folder, 'ffmpeg'), ffprobe: join(folder, 'ffprobe') };
    await expect(probeCapabilities(own)).rejects.toThrow('ffprobe is version 4.4.2; 5.1 or newer is needed');
  });
});
