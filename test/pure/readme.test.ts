import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { withTables } from '../../scripts/readme.ts';
import { settings } from '../../worker/env.ts';

const root = resolve(import.meta.dirname, '../..');
const text = (file: string) => readFileSync(join(root, file), 'utf8');
const readme = text('README.md');

describe('what is written for people', () => {
  it('has in README.md the tables of settings as they are defined (npm run generate writes them)', () => {
    expect(readme).toBe(withTables(readme));
  });

  it('maps every folder in README.md', () => {
    const map = [...readme.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap((row) =>
      [...(row[1] ?? '').matchAll(/`([a-z]+)\/`/g)].map((match) => match[1]),
    );
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map((entry) => entry.name);
    expect(map.toSorted()).toEqual(folders.toSorted());
  });

  it.each(['README.md', 'AGENTS.md'])('as %s names only commands and files that exist', (file) => {
    const commands = [...text(file).matchAll(/npm (?:run )?(start|test|[a-z]+(?::[a-z]+)?)\b/g)]
      .filter(
        (match) => match[0].startsWith('npm run ') || match[0] === 'npm start' || match[0] === 'npm test',
      )
      .map((match) => match[1] ?? '');
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([]);
    const files = [...text(file).matchAll(/`((?:\w+\/)+[\w.-]+\.\w+)`/g)].map((match) => match[1] ?? '');
    const missing = files.filter((name) => !existsSync(join(root, name)) && !name.startsWith('.'));
    expect(missing).toEqual([]);
  });
});

describe('.dev.vars.example', () => {
  it('names every secret of the Worker and nothing else', () => {
    const named = [...text('.dev.vars.example').matchAll(/^([A-Z0-9_]+)=/gm)].map((match) => match[1]);
    const secrets = Object.entries(settings)
      .filter(([, setting]) => setting.doc.startsWith('Secret.'))
      .map(([name]) => name);
    expect(named.toSorted()).toEqual(secrets.toSorted());
  });
});
