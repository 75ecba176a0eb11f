import { isRefreshed } from '../../bitstream/refresh.ts';
import { decodedSource } from '../../ffmpeg/arguments.ts';
import { decodedArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import { timeUnit, type VideoStream } from '../../model/source/video-stream.ts';
import type { Input, Render } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { answerOrNull } from '../libav/pool.ts';

interface SeekOptions {
  sources: readonly (MediaSource & { probe: MediaProbe })[];
  signal?: AbortSignal | undefined;
}

/**
 * Moves the step's seeks to where decoding has to begin. A keyframe may start a gradual refresh, after which a decoder outputs
 * no correct picture for some frames; H.264 codes how many.
 */
export async function fromEntries(ctx: MediaContext, step: Render, options: SeekOptions): Promise<Render> {
  const inputs = await Promise.all(
    step.inputs.map((input, index) => fromEntry(ctx, input, labelsOf(step), index, options)),
  );
  return { ...step, inputs };
}

function labelsOf({ chains, outputs }: Render): Set<string> {
  const mapped = outputs.flatMap((output) =>
    'video' in output ? (output.video?.from ?? []) : 'from' in output ? output.from : [],
  );
  return new Set([...chains.flatMap(({ from }) => from), ...mapped]);
}

async function fromEntry(
  ctx: MediaContext,
  input: Input,
  labels: ReadonlySet<string>,
  index: number,
  { sources, signal }: SeekOptions,
): Promise<Input> {
  if (!('source' in input) || input.seek === null || input.copy) return input;
  const source = sources[input.source];
  const { video } = source?.probe ?? {};
  if (!source || !video || !isRefreshed(video.codec) || !labels.has(`${index}:${video.index}`)) return input;
  const asked = { source, video, origin: source.probe.origin, seek: input.seek, signal };
  return { ...input, seek: await entryByLibav(ctx, asked) };
}

interface Asked {
  source: MediaSource;
  video: VideoStream;
  origin: number;
  seek: number;
  signal: AbortSignal | undefined;
}

async function entryByLibav(ctx: MediaContext, asked: Asked): Promise<number | null> {
  const { source, video, seek, signal } = asked;
  const unit = timeUnit(video);
  const tick = Math.floor(seek / unit);
  const about = { source: source.parts(), stream: video.index, slack: Math.ceil(1 / unit), ticks: [tick] };
  const how = { sources: [source], signal };
  const found = await answerOrNull(ctx, { kind: 'entries', ...about }, how, 'find where decoding begins');
  if (!found) return entryByProgram(ctx, asked);
  const [entry = tick] = found;
  return entry === tick ? seek : entry === null ? null : entry * unit;
}

/** Seconds to move a seek back until a frame at or before it is output. */
const BACK = [0, 2, 10, 50];

async function entryByProgram(
  ctx: MediaContext,
  { source, video, origin, seek, signal }: Asked,
): Promise<number | null> {
  const file = decodedSource(await source.whole(), video, ctx.capabilities);
  for (const back of BACK) {
    const from = seek - back;
    if (from <= origin) break;
    const args = decodedArguments(file, video.index, [[from, seek + 2 * video.frameDuration]]);
    const { stdout } = await run(ctx.programs, 'ffprobe', args, { signal, reads: [file.path] });
    const times = [...stdout.matchAll(/^-?\d+/gm)].map(([text]) => Number(text) * timeUnit(video));
    if (times.some((time) => time <= seek)) return from;
  }
  return null;
}
