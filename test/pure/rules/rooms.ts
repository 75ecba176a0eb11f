import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** What the files of a folder may import beside one another. */
export interface Room {
  /** Folders, with all below them, and single files. */
  files: readonly string[];
  /** Packages and built-ins by their beginning. */
  packages?: readonly string[];
  why: string;
}

const libav = ['node-av', 'node:', 'zod'];
const child = 'transcoder/media/libav/child';
const media = 'transcoder/media';
const contract = ['schema'];
const tool = 'web/tools/mp4-to-mp3';

const shared = 'transcoder/operations/plan';
const operations = 'transcoder/operations';
const operationFolders = readdirSync(resolve(import.meta.dirname, '../../..', operations), {
  withFileTypes: true,
})
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => `${operations}/${name}`)
  .filter((folder) => folder !== shared);
const planner = (...more: string[]): Room => ({
  files: ['schema', 'transcoder/model', ...more],
  why: 'a planner is pure: it knows the contract, the model and what planners share',
});

const service: Room = {
  files: [
    ...['schema', 'guard', 'worker/env.ts', 'worker/context.ts', 'worker/lib', 'worker/repos'],
    ...['worker/account', 'worker/fleet', 'worker/people-context.ts'],
  ],
  packages: ['zod', '@simplewebauthn/server'],
  why: 'a service knows no HTTP: routes and tools call it',
};

/** By path; of those that a file lies in, the deepest holds. A file that lies in none may not be there. */
export const rooms: Record<string, Room> = {
  schema: { files: [], packages: ['zod'], why: 'the contract knows itself alone' },
  guard: { files: [], why: 'the guard depends on nothing' },
  drizzle: { files: contract, packages: ['drizzle-orm'], why: 'tables know the contract alone' },

  'worker/index.ts': {
    files: ['worker'],
    why: 'the entry puts the Worker together',
  },
  'worker/app.ts': {
    files: ['schema', 'worker'],
    packages: ['@hono/zod-openapi'],
    why: 'the application puts routes and tools together',
  },
  'worker/app-env.ts': {
    files: ['worker/bindings.ts', 'worker/context.ts', 'worker/repos', 'schema'],
    packages: ['@hono/zod-openapi'],
    why: 'types of the application, which routes know without knowing the application',
  },
  'worker/env.ts': { files: ['guard'], packages: ['zod'], why: 'settings know the contract alone' },
  'worker/bindings.ts': {
    files: ['schema', 'worker/account', 'worker/container', 'worker/fleet', 'worker/lib/workers-ai.ts'],
    why: 'bindings name the Durable Objects and their messages',
  },
  'worker/context.ts': {
    files: [
      ...['schema', 'worker/env.ts', 'worker/bindings.ts', 'worker/lib', 'worker/repos'],
      ...['worker/account', 'worker/fleet'],
    ],
    packages: ['drizzle-orm'],
    why: 'the context is what a request works with: settings, repositories, clients',
  },
  'worker/people-context.ts': {
    files: [
      ...['schema', 'worker/env.ts', 'worker/bindings.ts', 'worker/context.ts', 'worker/lib', 'worker/repos'],
    ],
    packages: ['drizzle-orm'],
    why: 'the context of people adds what requests with a key do not load',
  },
  'worker/mount.ts': {
    files: ['worker/app-env.ts', 'worker/services'],
    packages: ['hono'],
    why: 'every adapter mounts its routes here, which gives each a limit',
  },
  'worker/pages': {
    files: [
      ...['drizzle', 'schema', 'worker/app-env.ts', 'worker/context.ts', 'worker/people-context.ts'],
      ...['worker/lib', 'worker/mount.ts', 'worker/repos', 'worker/services'],
    ],
    packages: ['hono'],
    why: 'pages call services, and know no other adapter',
  },
  'worker/http': {
    files: [
      ...['schema', 'worker/app-env.ts', 'worker/context.ts', 'worker/people-context.ts', 'worker/mount.ts'],
      ...['worker/env.ts', 'worker/lib', 'worker/repos', 'worker/services', 'package.json'],
      ...['CHANGELOG.md', 'README.md', 'SECURITY.md', 'bench/RESULTS.md', 'client/README.md'],
    ],
    packages: ['hono', '@hono/zod-openapi', '@mdream/js', 'highlight.js', 'marked', 'zod'],
    why: 'routes call services',
  },
  'worker/mcp': {
    files: [
      ...['schema', 'worker/app-env.ts', 'worker/context.ts', 'worker/http', 'worker/lib'],
      ...['worker/repos', 'worker/services', 'package.json'],
    ],
    packages: ['@modelcontextprotocol/server', 'zod'],
    why: 'tools call services',
  },
  'worker/queue': {
    files: [...['schema', 'worker/context.ts', 'worker/people-context.ts', 'worker/lib', 'worker/services']],
    why: 'consumers call services',
  },
  'worker/services': service,
  'worker/account': {
    files: [...['schema', 'worker/context.ts', 'worker/bindings.ts'], ...['worker/lib']],
    packages: ['cloudflare:workers'],
    why: 'an account knows the fleet and what it writes, no request',
  },
  'worker/container': {
    files: ['schema', 'worker/env.ts', 'worker/context.ts', 'worker/bindings.ts', 'worker/lib'],
    packages: ['@cloudflare/containers'],
    why: 'a container knows its settings and what it writes',
  },
  'worker/fleet': {
    files: ['schema', 'worker/env.ts', 'worker/bindings.ts', 'worker/lib'],
    packages: ['cloudflare:workers'],
    why: 'the fleet knows machines and accounts by name',
  },
  'worker/repos': {
    files: ['schema', 'drizzle'],
    packages: ['drizzle-orm'],
    why: 'SQL is written here and nothing else',
  },
  'worker/lib': {
    files: ['schema', 'guard', 'worker/env.ts', 'worker/bindings.ts', 'package.json'],
    packages: ['zod', 'stripe', 'aws4fetch'],
    why: 'a library knows no service',
  },

  'client/src': {
    files: [],
    packages: ['node:'],
    why: 'the client depends on nothing; modules of Node are only loaded by builtin() of source.ts',
  },
  'client/cli': {
    files: ['client/src', 'client/package.json', 'schema/api/nearest-name.ts'],
    packages: ['node:'],
    why: 'the command line knows the client, and suggests names as the service does',
  },

  'transcoder/main.ts': {
    files: ['schema', 'transcoder', 'package.json'],
    packages: ['node:'],
    why: 'the entry puts the transcoder together',
  },
  'transcoder/env.ts': {
    files: ['guard', 'transcoder/ffmpeg/located.mjs', 'transcoder/model/ffmpeg-version.mjs'],
    packages: ['zod', 'node:'],
    why: 'settings know the contract alone',
  },
  'transcoder/log.ts': {
    files: ['guard'],
    why: 'a log knows no work',
  },
  'transcoder/server.ts': {
    files: ['schema', 'transcoder/log.ts', 'transcoder/task'],
    packages: ['node:', 'hono', '@hono/node-server'],
    why: 'the server hands jobs on',
  },
  'transcoder/process': {
    files: ['transcoder/log.ts'],
    packages: ['node:'],
    why: 'what starts a process and keeps it alive knows no work',
  },
  'transcoder/model': {
    files: contract,
    packages: ['zod'],
    why: 'the model is types and pure arithmetic',
  },
  'transcoder/bitstream': {
    files: ['transcoder/model'],
    why: 'bitstreams are read from bytes, without a library or a file',
  },
  'transcoder/operations': {
    files: ['schema', 'transcoder/model'],
    why: 'the registry knows every planner',
  },
  [shared]: planner(),
  ...Object.fromEntries(operationFolders.map((folder) => [folder, planner(shared)])),
  'transcoder/ffmpeg': {
    files: ['schema', 'transcoder/model', 'transcoder/process/bundles.mjs', 'transcoder/log.ts'],
    packages: ['node:'],
    why: 'the program runs what it is given, and knows no plan',
  },
  'transcoder/letters': {
    files: ['schema', 'transcoder/model', 'transcoder/ffmpeg'],
    packages: ['node:', 'zod', 'harfbuzzjs', 'bidi-js'],
    why: 'text is measured with fonts alone, before anything draws it',
  },
  'transcoder/engines': {
    files: ['schema', 'transcoder/model', 'transcoder/ffmpeg', 'transcoder/log.ts'],
    packages: ['node:', 'zod', 'n2words', 'onnxruntime-node', 'sherpa-onnx-node'],
    why: 'a model engine knows no plan and no media',
  },
  [media]: {
    files: [],
    why: 'each room of media/ has its own row',
  },
  [`${media}/execute`]: {
    files: [
      'schema',
      'transcoder/model',
      'transcoder/ffmpeg',
      'transcoder/engines',
      'transcoder/process/collect-garbage.ts',
      'transcoder/process/within-time.ts',
      'transcoder/log.ts',
      media,
    ],
    packages: ['node:'],
    why: 'a plan is executed by steps and analyses, and knows no task',
  },
  [`${media}/steps`]: {
    files: [
      ...['schema', 'transcoder/model', 'transcoder/bitstream', 'transcoder/ffmpeg', 'transcoder/engines'],
      ...[
        `${media}/execute`,
        'transcoder/letters',
        `${media}/libav`,
        `${media}/drawing`,
        `${media}/photo`,
        `${media}/visual`,
        `${media}/voice`,
        'transcoder/source/picture',
      ],
    ],
    packages: ['node:'],
    why: 'a step does one thing with files of the job',
  },
  [`${media}/analyses`]: {
    files: [
      ...['schema', 'transcoder/model', 'transcoder/bitstream', 'transcoder/ffmpeg', 'transcoder/engines'],
      ...['transcoder/letters', `${media}/execute`, `${media}/libav`, `${media}/subject`],
    ],
    packages: ['node:', 'zod'],
    why: 'an analysis reads sources, and makes nothing of a plan',
  },
  [`${media}/subject`]: {
    files: ['transcoder/model', 'transcoder/process/bundles.mjs'],
    packages: ['node:', 'zod'],
    why: 'frames are looked at in a thread that knows no plan',
  },
  [`${media}/probe`]: {
    files: [
      ...['schema', 'transcoder/model', 'transcoder/ffmpeg', `${media}/libav`, `${media}/analyses`],
      `${media}/execute/media-context.ts`,
    ],
    packages: ['zod'],
    why: 'a probe says what a source is',
  },
  [`${media}/remux`]: {
    files: ['schema', 'transcoder/model', `${media}/execute`, `${media}/libav`, `${media}/probe`],
    packages: ['node:'],
    why: 'a remux makes a source that tells its times',
  },
  [`${media}/verify`]: {
    files: [
      ...['schema', 'transcoder/model', 'transcoder/ffmpeg', `${media}/execute`, `${media}/libav`],
      ...[`${media}/probe`],
    ],
    packages: ['node:', 'zod'],
    why: 'a check knows what was expected and what was made, not how',
  },
  [`${media}/voice`]: {
    files: [
      ...['schema', 'transcoder/model', 'transcoder/ffmpeg', 'transcoder/engines', `${media}/execute`],
      ...[`${media}/steps`],
    ],
    packages: ['node:'],
    why: 'voices are converted with model engines',
  },
  [`${media}/visual`]: {
    files: ['schema', 'transcoder/model'],
    packages: ['node:'],
    why: 'frames are drawn from a scene and a sound',
  },
  [`${media}/photo`]: {
    files: ['transcoder/model'],
    packages: ['node:'],
    why: 'frames are drawn from a photo, with its depth or without',
  },
  [`${media}/drawing`]: {
    files: ['transcoder/model', 'transcoder/ffmpeg', `${media}/photo`, `${media}/visual`],
    packages: ['node:', 'zod'],
    why: 'the process that draws knows what can be drawn',
  },
  [`${media}/libav`]: {
    files: ['transcoder/model', 'transcoder/ffmpeg', 'transcoder/log.ts'],
    packages: ['zod', 'node:'],
    why: 'the parent of libav processes loads no libav itself',
  },
  [child]: {
    files: [
      ...['schema', 'transcoder/model', 'transcoder/bitstream', `${media}/libav/protocol.ts`],
      ...['transcoder/ffmpeg/black-frames.ts', 'transcoder/process/collect-garbage.ts'],
      ...[`${media}/remux/presentation-times.ts`, `${media}/steps/luma-map.ts`],
    ],
    packages: libav,
    why: 'a libav process knows its protocol and libav, and may not wait for anything else',
  },
  'transcoder/source': {
    files: [
      ...['schema', 'guard', 'transcoder/model', 'transcoder/bitstream'],
      ...['transcoder/process/collect-garbage.ts', 'transcoder/log.ts', 'transcoder/env.ts'],
    ],
    packages: ['node:', '@aws-sdk/'],
    why: 'a source is read by ranges, whatever it is for',
  },
  'transcoder/task': {
    files: [
      ...['schema', 'guard', 'transcoder/model', 'transcoder/operations', 'transcoder/ffmpeg', media],
      ...['transcoder/source', 'transcoder/process/bundles.mjs', 'transcoder/log.ts'],
    ],
    packages: ['node:'],
    why: 'a task is an attempt from its job to its report',
  },

  [tool]: {
    files: [],
    why: 'a tool is bundled for the browser, and knows nothing of the service',
  },
  [`${tool}/sound`]: {
    files: [],
    why: 'what happens to samples and frames is decided without a browser or a library',
  },
  [`${tool}/worker`]: {
    files: [tool],
    packages: ['mediabunny', 'wasm-media-encoders'],
    why: 'the libraries are loaded when a file is chosen, not with the page',
  },
  [`${tool}/page`]: {
    files: [tool],
    packages: ['client-zip'],
    why: 'the page loads no library of media',
  },
};

/** A package or built-in that only some files may import. */
export const owners: { module: RegExp; allowed: RegExp; hint: string }[] = [
  {
    module: /^drizzle-orm/,
    allowed: /^(drizzle|worker\/repos)\/|^worker\/(people-)?context\.ts$/,
    hint: 'SQL is written in worker/repos',
  },
  {
    module: /^stripe$/,
    allowed: /^worker\/lib\/stripe-billing\.ts$/,
    hint: 'payments go through the port in worker/lib/billing.ts',
  },
  {
    module: /^node:child_process$/,
    allowed: /^transcoder\/ffmpeg\/(run|fork)\.ts$|^client\/cli\/commands\/(dev|tasks)\.ts$/,
    hint: 'processes are started in transcoder/ffmpeg/run.ts and fork.ts',
  },
  {
    module: /^(sherpa-onnx|onnxruntime)-node/,
    allowed: /^transcoder\/engines\/hosts\//,
    hint: 'a crash of these ends the process that they run in',
  },
  {
    module: /^@aws-sdk\//,
    allowed: /^transcoder\/source\/s3\.ts$/,
    hint: 'storage goes through transcoder/source/s3.ts',
  },
];
