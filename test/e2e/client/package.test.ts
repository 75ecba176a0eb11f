import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtures } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Stack, startStack } from '../stack.ts';
import { node, type Project, projectWithClient, run } from './packed.ts';

let stack: Stack;
let project: Project;
const root = join(import.meta.dirname, '../../..');

const tsconfig = {
  compilerOptions: {
    ...{
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2022', 'dom'],
      types: [],
      outDir: 'out',
      rootDir: '.',
    },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: false, skipLibCheck: false },
  },
  include: ['*.mts', '*.cts'],
};

/** The same program as a module and as CommonJS. */
const program = `import { Spool, TaskFailedError, type CutInput, type TaskResult } from 'spool-media';

async function main(): Promise<void> {
  const input: CutInput = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 1 };
  const out: TaskResult<'cut'> = await new Spool().cut(input).wait();
  const seconds: number = out.data.rendered_seconds;
  // @ts-expect-error a field that the operation does not have
  const wrong: CutInput = { video: '' };
  // @ts-expect-error the result of another operation
  out.data.words;
  const planned = await new Spool().cut({ ...input, dry_run: true }).wait();
  const width: number | null = planned.plan.width;
  console.log(JSON.stringify({ seconds, size: out.output.file_size, width, wrong, same: TaskFailedError.name }));
}
main();
`;

const readme = () => readFileSync(join(root, 'client/README.md'), 'utf8');
const blocks = (language: string) =>
  [...readme().matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)\n```$/gm)].flatMap(([, lang, title = '', code = '']) =>
    lang === language ? [{ title, code }] : [],
  );
const here = (text: string) =>
  text.replaceAll('https://media.example.com/talk.mp4', stack.media('speech.mp4'));

const environment = () => ({
  ...process.env,
  PATH: `${project.programs}${delimiter}${join(node, '..')}${delimiter}${process.env.PATH}`,
  XDG_CONFIG_HOME: join(project.folder, 'config'),
  SPOOL_URL: stack.service.url.origin,
  SPOOL_API_KEY: stack.service.accounts.elite.key,
});

beforeAll(async () => {
  stack = await startStack(fixtures);
  project = await projectWithClient();
  project.write('tsconfig.json', JSON.stringify(tsconfig));
  project.write('program.mts', here(program));
  project.write('program.cts', here(program));
  for (const [index, { code }] of blocks('ts').entries()) project.write(`example-${index}.mts`, here(code));
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', project.folder]).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
});
afterAll(async () => {
  await stack?.close();
  project?.close();
});

/** A folder with a file of the reader's own. */
function workplace(name: string): string {
  const folder = join(project.folder, 'work', name);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(fixtures, 'speech.mp4'), join(folder, 'talk.mp4'));
  return folder;
}

describe('the package, installed from its tarball in a project with strict types', () => {
  it.each(['program.mjs', 'program.cjs'])('runs a job as %s', async (name) => {
    const { stdout } = await run(node, [join(project.folder, 'out', name)], { env: environment() });
    const { seconds, size, width } = JSON.parse(stdout);
    expect([seconds > 0, size > 1000, width > 0]).toEqual([true, true, true]);
  });

  it('names no path of the machine that built it, and has no map of the sources', async () => {
    const { stdout } = await run('grep', [
      '-rlE',
      `${root}|sourceMappingURL`,
      join(project.folder, 'node_modules/spool-media'),
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });
});

describe('an example of the README', () => {
  const written: Record<string, string> = {
    'Cut five seconds': 'cut.mp4',
    'A file on disk': 'joined.mp4',
    'One upload, two requests': 'last.jpg',
    'Several files': 'frames',
    'Stop after ten minutes': 'small.mp4',
  };

  it.each(
    sampled(
      blocks('ts').map(({ title }, index) => [title, index] as const),
      3,
    ),
  )('%s runs', async (title, index) => {
    const cwd = workplace(`example-${index}`);
    const { stderr } = await run(node, [join(project.folder, `out/example-${index}.mjs`)], {
      cwd,
      env: environment(),
    });
    expect(stderr).toBe('');
    const file = written[title];
    if (file !== undefined) expect(existsSync(join(cwd, file)), file).toBe(true);
  });

  it('of the command line runs as pasted', async () => {
    const cwd = workplace('shell');
    const lines = blocks('sh')
      .filter(({ title }) => title !== 'Install')
      .map(({ code }) =>
        code
          .split('\n')
          // The environment has address and key of this service, and the package is installed.
          .filter((line) => !line.startsWith('export SPOOL_'))
          .map((line) => line.replace('npx -p spool-media spool', 'spool'))
          .join('\n'),
      );
    const script = `set -euo pipefail\n${lines.join('\n')}`;
    const { stdout, stderr } = await run('bash', ['-c', script], { cwd, env: environment() });
    expect(stderr).toBe('');
    for (const file of ['out.mp4', 'joined.mp4', 'frames', 'piped.mp4', 'small.mp4'])
      expect(existsSync(join(cwd, file)), file).toBe(true);
    expect(readFileSync(join(cwd, 'piped.mp4')).subarray(4, 8).toString()).toBe('ftyp');
    expect(stdout).toContain('out.mp4\n');
    expect(stdout).toContain('"container": "mp4"');
  });
});
