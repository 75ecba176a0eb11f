import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** What each part may import, beside itself: other parts, and packages by prefix. `*` is any package. */
const parts: Record<string, { parts: string[]; packages: string[]; hint: string }> = {
  schema: { parts: [], packages: ['zod'], hint: 'schema is the contract: zod and itself only' },
  guard: { parts: [], packages: [], hint: 'guard is dependency-free' },
  drizzle: { parts: ['schema'], packages: ['drizzle-orm'], hint: 'drizzle knows tables only' },
  worker: {
    parts: ['schema', 'guard', 'drizzle', 'package.json', 'CHANGELOG.md'],
    packages: ['*'],
    hint: 'meet the transcoder in schema/task/wire.ts',
  },
  transcoder: {
    parts: ['schema', 'guard', 'package.json'],
    packages: ['*'],
    hint: 'meet the Worker in schema/task/wire.ts',
  },
};

/** Inside a part, what a folder may import of its siblings; a folder that is not named here may import anything. */
const layers: Record<string, Record<string, string[]>> = {
  worker: {
    http: ['services', 'repos', 'mcp', 'lib', ''],
    mcp: ['services', 'http', 'repos', 'lib', ''],
    queue: ['services', 'lib', ''],
    services: ['repos', 'account', 'fleet', 'http', 'lib', ''],
    fleet: ['lib', ''],
    account: ['fleet', 'container', 'lib', 'repos', ''],
    container: ['lib', 'repos', ''],
    repos: ['lib'],
    lib: ['', 'repos', 'fleet', 'account'],
  },
  transcoder: {
    operations: ['media', 'ffmpeg', 'model', 'engines'],
    media: ['ffmpeg', 'engines', 'model', 'task', ''],
    engines: ['ffmpeg', 'model', ''],
    ffmpeg: ['model', ''],
    model: ['media', 'ffmpeg'],
    source: ['model', 'task', ''],
  },
};

/** A package or built-in that only some files may import. */
const owners: { module: RegExp; allowed: RegExp; hint: string }[] = [
  {
    module: /^drizzle-orm/,
    allowed: /^(drizzle|worker\/repos)\/|^worker\/context\.ts$/,
    hint: 'SQL lives in worker/repos',
  },
  {
    module: /^hono|^@hono\//,
    allowed: /^worker\/app(-env)?\.ts$|^worker\/(http|mcp)\//,
    hint: 'services know no Hono',
  },
  {
    module: /^node:child_process$/,
    allowed: /^transcoder\/ffmpeg\/(run|fork)\.ts$/,
    hint: 'spawn in transcoder/ffmpeg/run.ts, fork in fork.ts',
  },
  {
    module: /^node-av/,
    allowed: /^transcoder\/media\/libav\/child\//,
    hint: 'libav runs in processes of its own',
  },
  {
    module: /^(sherpa-onnx|onnxruntime)-node/,
    allowed: /^transcoder\/engines\/hosts\//,
    hint: 'their crashes end the process they run in',
  },
  {
    module: /^@aws-sdk\//,
    allowed: /^transcoder\/source\/s3\.ts$/,
    hint: 'storage goes through transcoder/source/s3.ts',
  },
  {
    module: /^node:(fs|child_process|http|https|net|timers)/,
    allowed: /^transcoder\/(?!operations\/)/,
    hint: 'planners are pure',
  },
];

function filesUnder(directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

function violations(): string[] {
  const found: string[] = [];
  for (const [part, rule] of Object.entries(parts)) {
    for (const file of filesUnder(part)) {
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith('.')) {
          const target = relative(root, resolve(root, dirname(file), specifier));
          const [targetPart = '', targetFolder = ''] = target.split('/');
          if (targetPart !== part && !rule.parts.includes(targetPart)) {
            found.push(`${file} imports ${specifier}: ${rule.hint}`);
          }
          const folder = file.split('/').length > 2 ? (file.split('/')[1] ?? '') : '';
          const folderRule = layers[part]?.[folder];
          const toFolder = target.split('/').length > 2 ? targetFolder : '';
          if (targetPart === part && folderRule && toFolder !== folder && !folderRule.includes(toFolder)) {
            found.push(
              `${file} imports ${specifier}: ${part}/${folder} may import ${folderRule.join(', ') || 'itself'} only`,
            );
          }
        } else if (
          !rule.packages.includes('*') &&
          !rule.packages.some((name) => specifier.startsWith(name))
        ) {
          found.push(`${file} imports ${specifier}: ${rule.hint}`);
        }
        for (const { module, allowed, hint } of owners) {
          if (module.test(specifier) && !allowed.test(file))
            found.push(`${file} imports ${specifier}: ${hint}`);
        }
      }
    }
  }
  return found;
}

describe('the dependency edges', () => {
  it('are kept by every import', () => {
    expect(violations()).toEqual([]);
  });

  it('are read out of the files at all', () => {
    expect(importsOf('worker/index.ts')).toContain('./app.ts');
    expect(filesUnder('transcoder').length).toBeGreaterThan(10);
  });

  it('keep raw environment variables in env.ts', () => {
    const readers = ['worker', 'transcoder']
      .flatMap(filesUnder)
      .filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers.filter((file) => !file.endsWith('/env.ts'))).toEqual([]);
  });

  it('let no file be named for nothing in particular', () => {
    const vague = Object.keys(parts)
      .flatMap(filesUnder)
      .filter((file) => /\/(utils?|helpers?|common|misc|constants|types)\.ts$/.test(file));
    expect(vague).toEqual([]);
  });

  it("keep the account of a source's time in media/probe", () => {
    const states = /^transcoder\/media\/(probe\/|libav\/child\/probe\/)/;
    const asked = [
      // What a container says of itself …
      /'format=[^']*(duration|start_time)/,
      /\bformat: z\s*\.object\(\{[^}]*(duration|start_time)/,
      // … and guesses in place of what a probe knows.
      /\b(probe|source|video|audio|stream|voice)\??\.(duration|startTime|origin) (\?\?|\|\|)/,
      /Math\.max\(0, (probe\.|video\.|audio\.|stream\.)?(startTime|origin)\b/,
    ];
    const found = filesUnder('transcoder')
      .filter((file) => !states.test(file))
      .filter((file) => asked.some((pattern) => pattern.test(readFileSync(join(root, file), 'utf8'))));
    expect(found).toEqual([]);
    const contexts = filesUnder('transcoder/media/libav/child')
      .filter((file) => !states.test(file))
      .filter((file) => /\binput\.(duration|startTime)\b/.test(readFileSync(join(root, file), 'utf8')));
    expect(contexts).toEqual([]);
  });

  it('pass no list without a bound as arguments', () => {
    const short = /\b(warnings|steps|parts|idle)\.push\(\.\.\./;
    const spread = /Math\.(max|min)\([^()]*\.\.\.|\.(push|unshift)\(\.\.\.|from(CharCode|CodePoint)\(\.\.\./;
    const found = filesUnder('transcoder').flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => spread.test(line) && !short.test(line))
        .map((line) => `${file}: ${line.trim()}: use model/min-max.ts or a loop`),
    );
    expect(found).toEqual([]);
  });
});
