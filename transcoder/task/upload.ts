import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type Result, result, type StoredFile } from '../../schema/task/wire.ts';
import type { Log } from '../log.ts';
import type { Rendered, RenderedFile } from '../media/execute/rendered.ts';
import { Slots } from '../model/slots.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { asciiName, type ObjectStore } from '../source/s3.ts';
import type { Task } from './job.ts';
import { runParallel } from './run-parallel.ts';

interface Delivery {
  signal: AbortSignal;
  /** May run while the files are being sent; if it fails, they are deleted. */
  check: (signal: AbortSignal) => Promise<unknown>;
  onFraction: (fraction: number) => void;
}

interface Destination {
  store: ObjectStore;
  log: Log;
}

type NamedFile = Pick<RenderedFile, 'role' | 'extension'>;

/** Bytes from which on to send files takes so much longer than to verify them that it may as well wait, and needs memory for parts. */
const MANY_BYTES = 16 * 1024 * 1024;

/** Each is in memory while it is sent, or some parts of it are; a task may have 200. */
const FILES_AT_ONCE = 4;

/** Verifies and stores the rendered files, small ones at the same time. If either fails, no object is left. */
export async function deliver(
  ctx: Destination,
  task: Task,
  rendered: Rendered,
  { signal, check, onFraction }: Delivery,
): Promise<Result> {
  // A dispatch may reach two machines, and neither may overwrite or delete the other's objects.
  const prefix = `${task.output_prefix}${randomBytes(6).toString('hex')}/`;
  const keys = rendered.files.map((file) => keyOf(prefix, nameOf(task, rendered.files, file)));
  try {
    const store = (either: AbortSignal) =>
      storeFiles(ctx.store, { task, prefix, rendered }, either, onFraction);
    const sizes = await sizesOf(rendered.files);
    if (sizes.some((size) => size > task.limits.output_bytes))
      throw new TaskFailure('output_too_large', 'The output is larger than your plan allows.');
    const checkFirst = sizes.includes(0) || sizes.reduce((sum, size) => sum + size, 0) > MANY_BYTES;
    if (checkFirst) await check(signal);
    const [files] = await runParallel(signal, checkFirst ? [store] : [store, check]);
    signal.throwIfAborted();
    const { duration, width, height, fps, data, time_map, warnings } = rendered;
    return result.parse({ files, duration, width, height, fps, data, time_map, warnings });
  } catch (error) {
    await removeObjects(ctx, keys);
    throw error;
  }
}

/** 0 for a file that was not written, which `check` says better than storing it would. */
const sizesOf = (files: readonly RenderedFile[]): Promise<number[]> =>
  Promise.all(
    files.map(({ path }) =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );

/** Deletes objects that will never be referenced. A failure is logged, not thrown. */
export async function removeObjects({ store, log }: Destination, keys: readonly string[]): Promise<void> {
  try {
    await store.remove(keys);
  } catch (error) {
    log.error('could not delete objects', { keys, error });
  }
}

function storeFiles(
  store: ObjectStore,
  { task, prefix, rendered }: { task: Task; prefix: string; rendered: Rendered },
  signal: AbortSignal,
  onFraction: (fraction: number) => void,
): Promise<StoredFile[]> {
  const { files } = rendered;
  const fractions = files.map(() => 0);
  const slots = new Slots(FILES_AT_ONCE, files.length);
  return runParallel(
    signal,
    files.map((file, index) => async (either: AbortSignal) => {
      const fileName = nameOf(task, files, file);
      const key = keyOf(prefix, fileName);
      const ticket = slots.acquire();
      await ticket?.ready;
      const onOne = (fraction: number) => {
        fractions[index] = fraction;
        onFraction(fractions.reduce((sum, part) => sum + part, 0) / files.length);
      };
      const stored = await store
        .put(
          { key, path: file.path, mediaType: file.media_type, fileName },
          { signal: either, onFraction: onOne },
        )
        .finally(() => ticket?.release());
      return { role: file.role, key, file_name: fileName, media_type: file.media_type, ...stored };
    }),
  );
}

/** File name for downloads; the first file has the name of the task's output. */
export function nameOf<F extends NamedFile>(task: Task, files: readonly F[], file: F): string {
  const role = file === files[0] ? '' : `-${file.role}`;
  return `${task.output_name}${role}.${file.extension}`;
}

function keyOf(prefix: string, fileName: string): string {
  return `${prefix}${asciiName(fileName)}`;
}
