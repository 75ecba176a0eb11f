import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { TaskError } from '../../schema/task/task.ts';
import { type Check, type CheckName, checksOf, type Done } from './checks.ts';
import { inScratch } from './decode.ts';
import type { CheckResult, FileResult } from './journal.ts';
import { isHonest } from './refusals.ts';
import { modelOf, type SourceModel } from './source-model.ts';
import { statedBy } from './stated.ts';

export interface Bounds {
  /** A task that takes longer counts as hung. */
  taskSeconds: number;
  /** Longer and larger sources are left out. */
  sourceSeconds: number;
  sourceBytes: number;
}

/** Sound is compared at 8000 Hz: less than this is nothing there. */
const LEAST_SECONDS = 0.005;

/** What tasks are given to: the whole service, or the transcoder's part of it. */
export interface Carrier {
  /** The address of a file of the folder. */
  media(name: string): string;
  /** What becomes of a task; text where it does not end, or was not accepted. */
  ended(check: Pick<Check, 'path' | 'input'>, seconds: number): Promise<Ended | string>;
}

export type Ended =
  | { error: Pick<TaskError, 'code' | 'fault' | 'detail'> }
  | (Done & { error: null } & Files);

interface Files {
  /** Copies its files into a directory. @returns their paths, in the order of the output */
  download(directory: string): Promise<string[]>;
}

/** Asks everything about one file of a folder that the carrier serves, and judges what comes. */
export async function examine(
  carrier: Carrier,
  folder: string,
  path: string,
  asked: CheckName[],
  bounds: Bounds,
): Promise<FileResult> {
  const file = relative(folder, path);
  const { size } = await stat(path);
  const stated = size > bounds.sourceBytes ? null : await statedBy(path);
  const about = { file, bytes: size, family: stated?.family ?? null, asked };
  const skip = (skipped: string): FileResult => ({ ...about, decodes: false, skipped, results: [] });
  if (size > bounds.sourceBytes) return skip('too large');
  if ((stated?.duration ?? 0) > bounds.sourceSeconds) return skip('too long');
  if ((stated?.duration ?? LEAST_SECONDS) < LEAST_SECONDS) return skip('too short to compare');
  const source = stated && (await modelOf(path, stated));
  if (source && source.duration > bounds.sourceSeconds) return skip('too long');
  const url = carrier.media(file.split(sep).map(encodeURIComponent).join('/'));
  const wanted = source ? checksOf(path, url, source) : undecodable(url);
  const results: CheckResult[] = [];
  for (const check of wanted) {
    if (source && !asked.includes(check.name)) continue;
    results.push(await resultOf(carrier, check, source, bounds.taskSeconds));
  }
  return { ...about, decodes: source !== null, skipped: null, results };
}

/** What ffmpeg cannot decode has to be refused. */
function undecodable(url: string): Check[] {
  const refused = (name: CheckName, input: Record<string, unknown>): Check => ({
    ...{ name, path: '/transcode', input: { video_url: url, ...input } },
    judge: async () => ({ wrong: ['it was completed, though ffmpeg decodes nothing'], late: [] }),
  });
  return [refused('transcode', {}), refused('audio_only', { audio_only: true, format: 'mp3' })];
}

async function resultOf(
  carrier: Carrier,
  check: Check,
  source: SourceModel | null,
  taskSeconds: number,
): Promise<CheckResult> {
  const start = performance.now();
  const result = (verdict: CheckResult['verdict'], detail: string, late: number[] = []): CheckResult => ({
    check: check.name,
    verdict,
    detail,
    seconds: Math.round((performance.now() - start) / 100) / 10,
    late: late.map((ms) => Math.round(ms * 1000) / 1000),
  });
  const task = await carrier.ended(check, taskSeconds);
  if (typeof task === 'string') return result('defect', task);
  if (task.error) {
    const { code, detail } = task.error;
    return result(isHonest(task.error, source) ? 'refused' : 'defect', `${code}: ${detail}`);
  }
  return inScratch(async (scratch) => {
    const { wrong, late } = await check.judge(task, await task.download(scratch));
    return wrong.length === 0 ? result('right', '', late) : result('defect', wrong.join('; '), late);
  });
}
