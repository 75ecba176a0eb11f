import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type OperationName, operations } from '../../schema/operations/index.ts';
import { taskLimits } from '../../schema/task/wire.ts';
import { Engines } from '../../transcoder/engines/engines.ts';
import { probeCapabilities } from '../../transcoder/ffmpeg/capabilities.ts';
import { findSandbox } from '../../transcoder/ffmpeg/find-sandbox.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { analyzeAndPlan } from '../../transcoder/media/execute/analyze-and-plan.ts';
import { completeSource } from '../../transcoder/media/execute/complete-source.ts';
import { render } from '../../transcoder/media/execute/execute-plan.ts';
import type { MediaContext } from '../../transcoder/media/execute/media-context.ts';
import type { Rendered } from '../../transcoder/media/execute/rendered.ts';
import type { AskOptions } from '../../transcoder/media/libav/pool.ts';
import { LibavPool } from '../../transcoder/media/libav/pool.ts';
import type { Answer, RequestKind, RequestOf } from '../../transcoder/media/libav/protocol.ts';
import { probeMedia } from '../../transcoder/media/probe/probe-media.ts';
import { contained, readable, withSteadySources } from '../../transcoder/media/remux/remux.ts';
import { tracedToSource } from '../../transcoder/media/verify/source-damage.ts';
import { verify } from '../../transcoder/media/verify/verify.ts';
import type { Capabilities } from '../../transcoder/model/capabilities.ts';
import { BROUGHT_FONT_FILE } from '../../transcoder/model/letters.ts';
import type { Limits, Plan } from '../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../transcoder/model/source/media-probe.ts';
import type { MediaSource } from '../../transcoder/model/source/media-source.ts';
import type { SpeechEndpoint, WorkersAi } from '../../transcoder/model/speech-endpoint.ts';
import { plannerOf } from '../../transcoder/operations/index.ts';
import { demuxerOfFile } from '../../transcoder/source/sniff.ts';
import { Known } from '../fixtures/known.ts';
import { fixture, fixtures, programs } from '../fixtures/make.ts';
import { scratch } from './scratch.ts';

/** Those that are tested. Fixtures are always made, and results read, with the ones on PATH. */
const tested = {
  ffmpeg: process.env.FFMPEG || programs.ffmpeg,
  ffprobe: process.env.FFPROBE || programs.ffprobe,
};
const sandbox = await findSandbox(
  tested,
  'auto',
  jsonLog({}, () => {}),
);
const confined = { ...tested, sandbox };
/** What processes of ours are kept in. */
export const confinement = { sandbox, writes: [tmpdir(), fixtures] };
export const libav = await LibavPool.start(jsonLog(), 1, confinement);
export const ctx: MediaContext = {
  programs: confined,
  capabilities: await probeCapabilities(confined),
  libav,
  engines: await Engines.probe({ programs, modelsDir: '/nonexistent', log: jsonLog({}, () => {}) }),
  log: jsonLog({}, () => {}),
};

const limits = taskLimits.parse({
  source_bytes: 1e9,
  source_seconds: 7200,
  task_seconds: 600,
  output_side_px: 1920,
});

/** What the programs say of files. */
const probes = new Known<MediaProbe>(200);

export interface Done extends Rendered {
  /** Path of the main file. */
  path: string;
}

interface Options {
  limits?: Partial<Limits>;
  capabilities?: Capabilities;
  /** Null for none, or what takes the place of some of its requests. */
  libav?: Answers | null;
  /** Those of speech and stems, in place of what this machine has. */
  engines?: Engines;
  providerKey?: string;
  speechApi?: SpeechEndpoint;
  workersAi?: WorkersAi;
  /** The file behind `style.font_url`, or its bytes. */
  font?: string | Uint8Array;
  /** Is told what the log warns of. */
  onWarning?: (message: string) => void;
  signal?: AbortSignal;
  onProgress?: (fraction: number) => void;
}

/** Does what run-task does between fetching and storing, verification included. */
export async function operate(
  name: OperationName,
  source: string,
  request: Record<string, unknown>,
  options: Options = {},
): Promise<Done> {
  const url = 'https://media.example.com/source';
  const field = name === 'probe' ? 'url' : request.audio_url === undefined ? 'video_url' : 'audio_url';
  return operateOn(name, [source], { ...request, [field]: url }, options);
}

/** The same for an operation on several sources, in the order in which its descriptor names them. */
export async function operateOn(
  name: OperationName,
  files: readonly string[],
  request: Record<string, unknown>,
  options: Options = {},
): Promise<Done> {
  const descriptor = operations[name];
  const { signal, onProgress, capabilities = ctx.capabilities, engines = ctx.engines } = options;
  const log = jsonLog({}, (line) => {
    const { level, message } = JSON.parse(line);
    if (level === 'warn') options.onWarning?.(message);
  });
  const media = { ...ctx, capabilities, engines, libav: libavWith(options.libav), log };
  const input: Record<string, unknown> = descriptor.input.parse(request);
  const directory = await mkdtemp(join(scratch(), 'attempt-'));
  const { font } = options;
  if (font !== undefined)
    await writeFile(
      join(directory, BROUGHT_FONT_FILE),
      typeof font === 'string' ? await readFile(font) : font,
    );
  const probing = (index: number) => (one: MediaSource) =>
    probeMedia(media, one, undefined, plannerOf(name).audioTrack?.(input, index) ?? null);
  const sources = await Promise.all(
    files.map(async (file, index) => {
      const path = file.startsWith('/') ? file : fixture(file);
      const format = await demuxerOfFile(path);
      if (!format) throw new Error(`${file} is not media`);
      const opened = await completeSource({ path, format });
      const { remuxedFor } = plannerOf(name);
      const source = await contained(media, opened, { directory, name: `contained-${index}`, remuxedFor });
      const probe = (one: MediaSource) => {
        const read = () => probing(index)(one);
        const track = plannerOf(name).audioTrack?.(input, index) ?? null;
        // Tests ask for the same fixtures again and again, and the programs are started several times for each answer.
        return options.libav === null && one === opened ? probes.of(path, read, `${track}`) : read();
      };
      const reading = { probe, remuxedFor };
      return readable(media, source, reading, { directory, name: `repacked-${index}` });
    }),
  );
  const naming = (index: number) => ({ directory, name: `steady-${index}`, probe: probing(index) });
  const rendered = await withSteadySources(media, sources, naming, async (from) => {
    const plan = await analyzeAndPlan(media, plannerOf(name), input, from, {
      limits: { ...limits, ...options.limits },
      directory,
      providerKey: options.providerKey,
      speechApi: options.speechApi,
      workersAi: options.workersAi,
      signal,
    });
    return verified(media, plan, {
      directory,
      sources: from,
      providerKey: options.providerKey,
      ...(signal ? { signal } : {}),
      ...(onProgress ? { onProgress } : {}),
    });
  });
  descriptor.data.parse(rendered.data);
  for (const file of rendered.files) await stat(file.path);
  return { ...rendered, path: rendered.files[0].path };
}

/** Throws what a task would end with. */
async function verified(
  media: MediaContext,
  plan: Plan,
  request: Parameters<typeof render>[2],
): Promise<Rendered> {
  const { signal = new AbortController().signal } = request;
  try {
    const rendered = await render(media, plan, request);
    await verify(ctx, rendered, signal);
    return rendered;
  } catch (error) {
    throw await tracedToSource(media, request.sources, error, signal);
  }
}

/** Answers requests of some kinds in place of libav. */
export type Answers = {
  [K in RequestKind]?: (request: RequestOf<K>, options?: AskOptions) => Promise<Answer<K>>;
};

/** libav, some requests of which are answered in its place; null for none. */
export function libavWith(others: Options['libav']): MediaContext['libav'] {
  if (!libav || others === null) return null;
  const answers = others as Partial<Record<RequestKind, LibavPool['ask']>> | undefined;
  const real = libav;
  return {
    ask: (request, options) => answers?.[request.kind]?.(request, options) ?? real.ask(request, options),
  };
}

/** The code and detail that an operation ends in. */
export async function failureOf(work: Promise<unknown>): Promise<{ code: string; detail: string }> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, detail: message };
  }
  return expect.unreachable('it was expected to fail');
}

export const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);
