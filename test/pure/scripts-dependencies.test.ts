import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { CI, leftOut } from '../../scripts/lib/dependencies.mjs';

describe('the set-up of dependencies', () => {
  it('installs dev dependencies where NODE_ENV is production', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spool-dependencies-'));
    const write = (file: string, content: object) =>
      writeFileSync(join(folder, file), JSON.stringify(content));
    try {
      const project = { name: 'project', version: '1.0.0', devDependencies: { tool: 'file:tool' } };
      mkdirSync(join(folder, 'tool'));
      write('tool/package.json', { name: 'tool', version: '1.0.0' });
      write('package.json', project);
      write('package-lock.json', {
        ...{ name: 'project', version: '1.0.0', lockfileVersion: 3, requires: true },
        packages: {
          '': project,
          'node_modules/tool': { resolved: 'tool', link: true },
          tool: { version: '1.0.0', dev: true },
        },
      });
      const env = { ...process.env, NODE_ENV: 'production' };
      await promisify(execFile)('npm', [...CI, '--offline'], { cwd: folder, env });
      expect(existsSync(join(folder, 'node_modules/tool'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 180_000);

  const here = { os: [process.platform], cpu: [process.arch] };
  const locked = {
    '': {},
    'node_modules/kept': { version: '1.0.0' },
    'node_modules/old': { version: '2.0.0' },
    'node_modules/dev': { version: '1.0.0', dev: true },
    'node_modules/for-here': { version: '1.0.0', optional: true, ...here },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['none'], cpu: [process.arch] },
    'node_modules/anywhere': { version: '1.0.0', optional: true },
  };

  it('knows which packages were left out', () => {
    const installed = { 'node_modules/kept': { version: '1.0.0' }, 'node_modules/old': { version: '1.0.0' } };
    expect(leftOut(locked, installed)).toEqual([
      'node_modules/old',
      'node_modules/dev',
      'node_modules/for-here',
    ]);
    expect(leftOut(locked, locked)).toEqual([]);
  });
});
