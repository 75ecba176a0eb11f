import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { id3Length, lameTag, TAG_BYTES, withoutDelay } from '../../bitstream/lame-tag.ts';
import { restartOf } from '../../ffmpeg/clock-restart.ts';
import { coverArguments, remuxArguments } from '../../ffmpeg/remux-arguments.ts';
import { run } from '../../ffmpeg/run.ts';
import { JoinedClocks } from '../../model/joined-clocks.ts';
import type { SourceFile } from '../../model/source/media-source.ts';
import type { Remux } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { stripPicture } from '../../source/picture/strip.ts';
import { completeSource } from '../execute/complete-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { LibavFailure, twice } from '../libav/pool.ts';
import type { StepConditions, StepRunner } from './step-runner.ts';

/** A copy has hung if its output time does not advance for this long. */
const STALL_SECONDS = 60;
/** Share of the work before the proof. */
const COPIED = 0.6;

export const remux: StepRunner<Remux> = {
  weight: ({ seconds }) => seconds,
  reads: ({ tags }) => [tags],
  writes: ({ file }) => [file],
  run: async (ctx, step, conditions) => {
    const { directory, sources, signal, fileBytes, onProgress } = conditions;
    const file = await sourceFile(step.source, sources);
    const covers = [];
    for (const [at, cover] of step.covers.entries())
      covers.push(await coverFile(ctx, cover, { ...conditions, file, name: `cover${at}.${cover.still}` }));
    try {
      await run(ctx.programs, 'ffmpeg', remuxArguments(step, file, covers), {
        ...{ signal, cwd: directory, reads: [file.path], stallSeconds: STALL_SECONDS },
        onProgress: (seconds) => onProgress(COPIED * Math.min(1, Math.max(0, seconds / (step.seconds || 1)))),
        ...(fileBytes === undefined ? {} : { fileBytes }),
      });
      if (step.container === 'mp3' && sources[step.source]?.format !== 'mp3')
        await withoutInventedDelay(join(directory, step.file));
      await prove(ctx, step, conditions);
    } catch (error) {
      throw await ofJoined(ctx, file, error, signal);
    }
    return undefined;
  },
};

/** What a copy fails with: JoinedClocks if the source consists of several recordings. */
async function ofJoined(
  ctx: MediaContext,
  file: SourceFile,
  error: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const copied = error instanceof TaskFailure && ['render_failed', 'output_invalid'].includes(error.code);
  // Where recordings overlap by a few frames, a copy shifts what follows.
  const restart = copied ? await restartOf(ctx.programs, file, signal, 0).catch(() => null) : null;
  return restart ? new JoinedClocks(restart, error) : error;
}

async function sourceFile(index: number, sources: StepConditions['sources']): Promise<SourceFile> {
  const source = sources[index];
  if (!source) throw new Error(`a step reads source ${index}, which does not exist`);
  return source.whole();
}

/** What the muxer of ffmpeg writes as delay if the source states none: 0, or 0 less the 529 samples of the decoder in twelve bits. */
const INVENTED = [0, 0xdef];

/** Players skip the delay that an mp3 states, up to 0.1 s of what is heard in a source without one. */
async function withoutInventedDelay(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  const { buffer: head } = await file.read(Buffer.alloc(10), 0, 10, 0);
  const at = id3Length(head);
  const { buffer: frame } = await file.read(Buffer.alloc(TAG_BYTES), 0, TAG_BYTES, at);
  const tag = lameTag(frame);
  if (!tag || !INVENTED.includes(tag.delay)) return;
  withoutDelay(frame, tag);
  await file.write(frame, tag.encoder, tag.lengths + 3 - tag.encoder, at + tag.encoder);
}

/** A cover in the job's directory, without its metadata. */
async function coverFile(
  ctx: MediaContext,
  cover: Remux['covers'][number],
  { directory, sources, signal, file, name }: StepConditions & { file: SourceFile; name: string },
): Promise<{ file: string; still: Remux['covers'][number]['still'] }> {
  const { still } = cover;
  const path = join(directory, name);
  const from = 'source' in cover ? await sourceFile(cover.source, sources) : file;
  const stream = 'source' in cover ? 0 : cover.stream;
  await run(ctx.programs, 'ffmpeg', coverArguments(from, stream, name), {
    ...{ signal, cwd: directory, reads: [from.path] },
  });
  if (cover.bare) await stripPicture(path, `${still}_pipe`, 'without Exif');
  return { file: name, still };
}

/** Throws `output_invalid` if a packet or its time differs, and `codec_unsupported` if the container cannot hold what the packets need. */
async function prove(
  { libav, log }: MediaContext,
  { file, container, format, source, tracks }: Remux,
  { directory, sources, signal }: StepConditions,
): Promise<void> {
  const from = sources[source];
  const pairs = tracks.flatMap(({ type, stream }, at): [number, number][] =>
    type === 'attachment' ? [] : [[stream, at]],
  );
  if (!libav || !from) {
    log.info('the copy is not compared with its source: libav is unavailable');
    return;
  }
  const made = await completeSource({ path: join(directory, file), format });
  try {
    const { problem, uncovered, turned, changed } = await twice(log, () =>
      libav.ask(
        { kind: 'compare', from: from.parts(), made: made.parts(), tracks: pairs },
        { sources: [from, made], signal },
      ),
    );
    const instead =
      container === 'mp4' || container === 'mov'
        ? 'Use /transcode.'
        : 'Use `mp4` or `mov` as `format`, or /transcode.';
    if (uncovered) {
      const detail = `An edit list of the source hides frames, which \`${container}\` would show. ${instead}`;
      throw new TaskFailure('codec_unsupported', detail, { sourceIndex: 0 });
    }
    if (turned) {
      const detail = `The source states how players have to turn or mirror its picture, which \`${container}\` cannot. ${instead}`;
      throw new TaskFailure('codec_unsupported', detail, { sourceIndex: 0 });
    }
    if (changed) {
      const detail = `The sound of the source changes its sample rate or channels, which \`${container}\` states once. Leave the track out with \`keep: false\`.`;
      throw new TaskFailure('codec_unsupported', detail, { sourceIndex: 0 });
    }
    if (problem !== null) throw new TaskFailure('output_invalid', problem);
  } catch (error) {
    if (!(error instanceof LibavFailure)) throw error;
    log.warn('libav could not compare the copy with its source', { error });
  }
}
