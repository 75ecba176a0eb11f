import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorCode } from '../../../schema/api/errors.ts';
import { decodedSource, renderArguments, streamsRead } from '../../ffmpeg/arguments.ts';
import { saysDamage } from '../../ffmpeg/diagnose.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Sandbox } from '../../ffmpeg/sandbox.ts';
import type { Capabilities } from '../../model/capabilities.ts';
import type { Drawing } from '../../model/drawing.ts';
import { isOlder } from '../../model/ffmpeg-version.mjs';
import { videoTracks } from '../../model/source/media-probe.ts';
import { withStatedFrames } from '../../model/source/stated-frames.ts';
import type { Input, Render } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { DrawingProcess } from '../drawing/process.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { fetchedInPart, inputsOf } from './read-in-part.ts';
import { fromEntries } from './seek-points.ts';
import type { StepConditions, StepRunner } from './step-runner.ts';

/** A render has hung if its output time does not advance for this long, plus the time to decode its lead-in. */
const STALL_SECONDS = 120;
/** A render that exceeds its planned duration by this factor is stopped: its source is longer than stated. */
const RUN_ON = 1.5;
/** Decoding runs at least this many times faster than real time. */
const DECODE_SPEED = 2;

type Graph = Pick<Render, 'inputs' | 'chains'>;

/** A filter run's share of the task's time. */
export const secondsOf = ({ weight, seconds }: Pick<Render, 'weight' | 'seconds'>): number =>
  weight ?? seconds ?? 1;

/** Files of the job's directory that inputs and filters open. */
export function filesRead({ inputs, chains }: Graph): string[] {
  const opened = chains.flatMap(({ filters }) =>
    filters.flatMap(({ options }) => (options?.filename === undefined ? [] : [`${options.filename}`])),
  );
  return [...inputs.flatMap(filesOf), ...opened];
}

function filesOf(input: Input): string[] {
  if ('list' in input) return [input.list];
  if ('raw' in input) return [input.raw];
  if ('pictures' in input) return [input.pictures];
  if ('map' in input) return [input.map];
  if ('subtitles' in input) return [input.subtitles];
  if ('chapters' in input) return [input.chapters];
  if ('made' in input) return [input.made];
  return 'drawing' in input ? filesDrawnFrom(input.drawing) : [];
}

const filesDrawnFrom = (drawing: Drawing): string[] =>
  drawing.kind === 'visual'
    ? [drawing.sound]
    : drawing.layers.flatMap((layer) =>
        layer.kind === 'flat' ? [layer.picture] : [layer.picture, layer.depth.file],
      );

export const render: StepRunner<Render> = {
  weight: secondsOf,
  reads: filesRead,
  writes: ({ outputs }) => outputs.map(({ file }) => file),
  run: runFfmpeg,
};

/** What a program fails with where bytes are missing. */
const ofMissing: readonly ErrorCode[] = ['render_failed', 'source_damaged'];

/** Sources that are fetched in part are read again as a whole if the program fails at them, or says that something is wrong. */
async function runFfmpeg(ctx: MediaContext, planned: Render, conditions: StepConditions): Promise<undefined> {
  const { sources, signal } = conditions;
  const step = await fromEntries(ctx, planned, { sources, signal });
  const partly = await Promise.all(
    sources.map((source, index) =>
      fetchedInPart(ctx, source, inputsOf(step, index), streamsOf(step, index), signal),
    ),
  );
  if (partly.includes(true)) {
    try {
      const { stderrTail } = await runOn(ctx, step, conditions, partly);
      if (!saysDamage(stderrTail)) return;
      ctx.log.warn('ffmpeg reads sources as a whole', { stderr: stderrTail.slice(-2000) });
    } catch (error) {
      if (!(error instanceof TaskFailure && ofMissing.includes(error.code))) throw error;
      ctx.log.warn('ffmpeg reads sources as a whole', { error });
    }
  }
  const { stderrTail } = await runOn(ctx, step, conditions, []);
  if (stderrTail !== '') ctx.log.info('ffmpeg wrote to stderr', { stderr: stderrTail.slice(-2000) });
}

/** @param partly By source, whether it is read as far as it is fetched. */
async function runOn(
  ctx: MediaContext,
  step: Render,
  { directory, sources, signal, fileBytes, onProgress }: StepConditions,
  partly: readonly boolean[],
) {
  const { seconds, lead } = step;
  const files = await Promise.all(
    sources.map(async (source, index) => {
      const fetches = inputsOf(step, index).length > 0 && !partly[index];
      const { video } = source.probe;
      const file = await (fetches ? source.whole() : source.parts());
      const decoded = video ? decodedSource(file, video, ctx.capabilities) : { ...file, presented: true };
      return { ...decoded, videoTracks: videoTracks(source.probe), video };
    }),
  );
  const drawn = drawingOf(step, directory, ctx.programs.sandbox);
  const videos = sources.map(({ probe }) => probe.video);
  const timed = withStatedFrames(step, videos);
  const args = await withLongGraphInFile(
    renderArguments(timed, files, ctx.capabilities),
    directory,
    ctx.capabilities,
  );
  const running = run(ctx.programs, 'ffmpeg', args, {
    signal,
    ...{
      cwd: directory,
      reads: files.filter((_, index) => inputsOf(step, index).length > 0).map(({ path }) => path),
    },
    input: drawn?.frames,
    onProgress: (outTime) => onProgress(seconds ? Math.min(1, Math.max(0, outTime / seconds)) : 0),
    stallSeconds: STALL_SECONDS + Math.ceil(lead / DECODE_SPEED),
    ...(seconds === null ? {} : { longestSeconds: RUN_ON * (lead + seconds) + STALL_SECONDS }),
    ...(fileBytes === undefined ? {} : { fileBytes }),
  });
  drawn?.begin();
  return running.finally(() => drawn?.end());
}

/** Linux starts no program with an argument of 128 KiB: MAX_ARG_STRLEN of execve(2). */
const LONGEST_ARGUMENT = 120_000;

/** A graph that is too long for an argument, such as that of a crop along hundreds of points, is read from a file. */
async function withLongGraphInFile(
  args: readonly string[],
  directory: string,
  { version }: Capabilities,
): Promise<readonly string[]> {
  const at = args.indexOf('-filter_complex');
  const graph = args[at + 1] ?? '';
  if (at === -1 || Buffer.byteLength(graph) < LONGEST_ARGUMENT) return args;
  const file = `graph-${randomUUID()}.txt`;
  await writeFile(join(directory, file), graph);
  const option = isOlder(version, 7) ? '-filter_complex_script' : '-/filter_complex';
  return args.with(at, option).with(at + 1, file);
}

function drawingOf(
  { inputs }: Render,
  directory: string,
  sandbox: Sandbox | undefined,
): DrawingProcess | null {
  const input = inputs.find((one) => 'drawing' in one);
  return input ? new DrawingProcess(input.drawing, directory, sandbox) : null;
}

/** The streams of a source that a step reads. */
function streamsOf({ inputs, chains, outputs }: Render, source: number): number[] {
  return inputs.flatMap((input, index) =>
    'source' in input && input.source === source ? streamsRead({ chains, outputs }, index) : [],
  );
}
