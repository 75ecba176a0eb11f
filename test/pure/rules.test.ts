import { describe, expect, it } from 'vitest';
import { operationNames } from '../../schema/operations/index.ts';
import {
  circles,
  codeFiles,
  filesUnder,
  type Imports,
  importsOf,
  reachedAtStart,
  readImports,
  textOf,
  wayToNode,
} from './rules/imports.ts';
import { owners, type Room, rooms } from './rules/rooms.ts';

const parts = ['schema', 'guard', 'drizzle', 'worker', 'transcoder', 'web/tools', 'client/src', 'client/cli'];
const repository = readImports(parts);

const isUnder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** The room that a file lies in, with its path. */
function roomOf(file: string): [path: string, room: Room] | null {
  const around = Object.entries(rooms).filter(([path]) => isUnder(file, path));
  return around.sort(([a], [b]) => b.length - a.length)[0] ?? null;
}

/** The imports that no rule allows, each with the rule that it breaks. */
function violations(imports: Imports): string[] {
  return [...imports].flatMap(([file, found]) => {
    const around = roomOf(file);
    if (!around) return [`${file} lies in no room of test/pure/rules/rooms.ts`];
    const [path, { files, packages = [], why }] = around;
    return found.flatMap(({ target, isFile }) => {
      const owner = owners.find(({ module, allowed }) => module.test(target) && !allowed.test(file));
      if (owner) return [`${file} imports ${target}: ${owner.hint}`];
      const allowed = isFile
        ? [path, ...files].some((folder) => isUnder(target, folder))
        : packages.some((name) => target.startsWith(name));
      return allowed ? [] : [`${file} imports ${target}: ${why}`];
    });
  });
}

const pure = ['transcoder/operations', 'transcoder/model', 'transcoder/bitstream'];

/** How planners and the model reach a built-in of Node, at any distance. */
function impurities(imports: Imports): string[] {
  return [...imports.keys()]
    .filter((file) => pure.some((folder) => isUnder(file, folder)))
    .flatMap((file) => wayToNode(imports, file)?.join(' > ') ?? []);
}

/** The repository with one more import in a file. */
function withImport(file: string, statement: string): Imports {
  return new Map(repository).set(file, [...(repository.get(file) ?? []), ...importsOf(file, statement)]);
}

describe('the dependency edges', () => {
  it('are kept by every import', () => {
    expect(violations(repository)).toEqual([]);
  });

  it('are allowed for no longer than something uses them', () => {
    const unused = Object.entries(rooms).flatMap(([path, { files, packages = [] }]) => {
      const inside = [...repository].filter(([file]) => roomOf(file)?.[0] === path);
      const targets = inside.flatMap(([, imports]) => imports.map(({ target }) => target));
      const outside = targets.filter((target) => !isUnder(target, path));
      return [
        ...files.filter((folder) => !outside.some((target) => isUnder(target, folder))),
        ...packages.filter((name) => !targets.some((target) => target.startsWith(name))),
      ].map((name) => `${path} no longer needs ${name}`);
    });
    expect(unused).toEqual([]);
  });

  it('are read out of the files at all', () => {
    expect(importsOf('worker/index.ts').map(({ target }) => target)).toContain('worker/app.ts');
    expect(repository.size).toBeGreaterThan(500);
  });

  it('lead to nothing of Node from a planner or the model, at any distance', () => {
    expect(impurities(repository)).toEqual([]);
  });

  it('form no circle, types included', () => {
    expect(circles(repository)).toEqual([]);
  });

  it.each([
    ['a task in an operation', 'transcoder/operations/cut/cut.ts', '../../task/run-task.ts'],
    ['storage in an operation', 'transcoder/operations/cut/cut.ts', '../../source/s3.ts'],
    ['another operation', 'transcoder/operations/crop/crop.ts', '../cut/cut.ts'],
    ['an operation in what planners share', 'transcoder/operations/plan/filters.ts', '../crop/crop.ts'],
    ['a file system in an operation', 'transcoder/operations/cut/cut.ts', 'node:fs'],
    ['ffmpeg in an operation', 'transcoder/operations/cut/cut.ts', '../../ffmpeg/run.ts'],
    ['media in the model', 'transcoder/model/plan.ts', '../media/probe/probe-media.ts'],
    ['media in ffmpeg', 'transcoder/ffmpeg/run.ts', '../media/libav/pool.ts'],
    ['a task in media', 'transcoder/media/execute/execute-plan.ts', '../../task/run-task.ts'],
    ['libav outside its processes', 'transcoder/media/libav/pool.ts', 'node-av/lib'],
    ['a process of its own making', 'transcoder/media/execute/execute-plan.ts', 'node:child_process'],
    ['a model library outside its host', 'transcoder/engines/engines.ts', 'onnxruntime-node'],
    ['the Worker in the transcoder', 'transcoder/task/job.ts', '../../worker/lib/text/redact.ts'],
    [
      'the transcoder in the Worker',
      'worker/services/tasks/submit.ts',
      '../../../transcoder/model/numbers/decimal.ts',
    ],
    ['the application in a service', 'worker/services/tasks/submit.ts', '../../app.ts'],
    ['a route in a service', 'worker/services/tasks/submit.ts', '../../http/routes/tasks.ts'],
    ['Hono in a service', 'worker/services/tasks/submit.ts', 'hono'],
    ['another adapter in a page', 'worker/pages/routes.ts', '../http/declare.ts'],
    ['SQL in a page', 'worker/pages/routes.ts', 'drizzle-orm'],
    ['Stripe in a service', 'worker/services/billing/pay.ts', 'stripe'],
    ['SQL in a service', 'worker/services/tasks/submit.ts', 'drizzle-orm'],
    ['a service in a library', 'worker/lib/text/redact.ts', '../../services/tasks/submit.ts'],
    ['a service in a repository', 'worker/repos/tasks.ts', '../services/tasks/submit.ts'],
    ['a package in the guard', 'guard/url.ts', 'zod'],
    ['the Worker in the contract', 'schema/task/task.ts', '../../worker/lib/text/redact.ts'],
    ['a library in what decides about sound', 'web/tools/mp4-to-mp3/sound/timeline.ts', 'mediabunny'],
    ['the Worker in a tool', 'web/tools/mp4-to-mp3/page/page.ts', '../../../../worker/lib/text/redact.ts'],
    ['a file that lies in no room', 'transcoder/helper.ts', './log.ts'],
  ])('refuse %s', (_, file, specifier) => {
    const imports = withImport(file, `import { x } from '${specifier}';`).get(file) ?? [];
    const found = violations(new Map([[file, imports]]));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(file);
  });

  it.each([
    ['directly', 'transcoder/model/numbers/decimal.ts', 'node:fs'],
    ['over another file', 'transcoder/operations/cut/cut.ts', '../../media/execute/complete-source.ts'],
  ])('notice that a planner reaches Node %s', (_, file, specifier) => {
    expect(impurities(withImport(file, `import { x } from '${specifier}';`))).not.toEqual([]);
    expect(impurities(withImport(file, `import type { x } from '${specifier}';`))).toEqual([]);
  });

  it('notice a circle that types close', () => {
    const closed = withImport(
      'transcoder/model/source/video-stream.ts',
      "import type { x } from './media-probe.ts';",
    );
    expect(circles(closed)).toContainEqual(
      expect.arrayContaining(['transcoder/model/source/video-stream.ts']),
    );
  });

  it('keep raw environment variables in env.ts', () => {
    const readers = ['worker', 'transcoder']
      .flatMap(filesUnder)
      .filter((file) => /process\.env/.test(textOf(file)));
    // What is shown as an example for callers reads theirs.
    const example = 'worker/lib/request-snippets.ts';
    expect(readers.filter((file) => !file.endsWith('/env.ts') && file !== example)).toEqual([]);
  });

  it('keep a page on a screen or two: 200 lines at most', () => {
    const long = filesUnder('worker/pages').filter((file) => textOf(file).split('\n').length > 200);
    expect(long).toEqual([]);
  });

  it('load what people use only when a page is opened', () => {
    const reached = reachedAtStart(repository, 'worker/index.ts');
    const lazy =
      /^worker\/(people-context|http\/docs\/(pages|print|guides)\/|pages\/(?!routes\.ts|access\.ts|[\w-]+\/routes\.ts)|repos\/people\/|services\/(sign-in|members|keys|mail|playground|deletion|export|usage|connect|billing\/(?!billing-url\.ts))\/|lib\/stripe-)/;
    expect(reached.filter((file) => lazy.test(file))).toEqual([]);
    expect(reached.filter((name) => /^(@simplewebauthn|stripe$)/.test(name))).toEqual([]);
    expect(reached).toContain('worker/pages/routes.ts');
    expect(reached.length).toBeGreaterThan(150);
  });

  it('let no file be named for nothing in particular', () => {
    const vague = parts
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
      .filter((file) => asked.some((pattern) => pattern.test(textOf(file))));
    expect(found).toEqual([]);
    const contexts = filesUnder('transcoder/media/libav/child')
      .filter((file) => !states.test(file))
      .filter((file) => /\binput\.(duration|startTime)\b/.test(textOf(file)));
    expect(contexts).toEqual([]);
  });

  describe('of a plan: its files, expectations, time map and fallback', () => {
    const builders = ['output.ts', 'changed-plan.ts'].map((name) => `transcoder/operations/plan/${name}`);
    /** Properties of an object literal, written out, in short or by their names. */
    const written =
      /\b(expect|time_map|otherwise)['"]?\s*:|[{,]\s*(expect|time_map|otherwise),?\s*\}(?!\s*[:=)])/;
    const byHand = (texts: Iterable<[file: string, text: string]>) =>
      [...texts].flatMap(([file, text]) => (written.test(text) && !builders.includes(file) ? file : []));
    const planners = filesUnder('transcoder/operations').map((file): [string, string] => [
      file,
      textOf(file),
    ]);

    it('are written by its builder alone', () => {
      expect(byHand(planners)).toEqual([]);
      expect(builders.filter((file) => written.test(textOf(file)))).toEqual(builders);
    });

    it.each([
      'return { steps, files: [file], expect: { media: [], pictures: [] } };',
      'return { ...plan, time_map: [] };',
      'return { ...plan, otherwise: full };',
      'return { ...plan, otherwise };',
      'return { ...plan, steps, expect };',
    ])('are noticed elsewhere: %s', (text) => {
      expect(byHand([['transcoder/operations/cut/cut.ts', text]])).toHaveLength(1);
      expect(byHand([['transcoder/operations/plan/output.ts', text]])).toEqual([]);
    });
  });

  it('pass no list without a bound as arguments', () => {
    const short = /\b(warnings|steps|parts|idle)\.push\(\.\.\./;
    const spread = /Math\.(max|min)\([^()]*\.\.\.|\.(push|unshift)\(\.\.\.|from(CharCode|CodePoint)\(\.\.\./;
    const found = filesUnder('transcoder').flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => spread.test(line) && !short.test(line))
        .map((line) => `${file}: ${line.trim()}: use model/min-max.ts or a loop`),
    );
    expect(found).toEqual([]);
  });
});

describe('paths of files', () => {
  it('are not taken from an address, where a space is %20: use fileURLToPath', () => {
    const taken = /import\.meta\.url\)\s*\.pathname/;
    expect('new URL(name, import.meta.url)\n  .pathname').toMatch(taken);
    const files = codeFiles();
    expect(files).toEqual(expect.arrayContaining(['scripts/generate.ts', 'scripts/lib/paths.mjs']));
    expect(files.filter((file) => taken.test(textOf(file)))).toEqual([]);
  });
});

describe('every operation', () => {
  const textsOf = (folder: string, name: RegExp) =>
    filesUnder(folder)
      .filter((file) => name.test(file))
      .map(textOf)
      .join('\n');
  const plans = textsOf('test/pure', /\/plans[\w-]*\.test\.ts$/);
  const media = textsOf('test/media', /\.test\.ts$/);

  it.each(operationNames)('%s has rows of plans, and a test on media', (name) => {
    const planner = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(plans).toMatch(new RegExp(`'${name}'|\\b${planner}\\.plan\\(`));
    expect(media).toContain(`'${name}'`);
  });
});
