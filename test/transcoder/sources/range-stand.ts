import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Span } from '../../../transcoder/model/source/byte-ranges.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import type { GetOptions } from '../../../transcoder/source/guarded-get.ts';
import { openSource, type RemoteSource, type SourceOptions } from '../../../transcoder/source/open-source.ts';
import { urlOrigin } from '../../../transcoder/source/origin.ts';
import { type Exchange, type Manners, type RangeOrigin, startRangeOrigin } from './range-origin.ts';

export const MB = 1024 * 1024;
/** What begins like Matroska and is otherwise noise, so that every byte counts. */
export const file = Buffer.concat([Buffer.from([0x1a, 0x45, 0xdf, 0xa3]), randomBytes(9 * MB)]);
export const HEAD: Span = [0, 64 * 1024];

let directory: string;
export const origins: RangeOrigin[] = [];
const sources: RemoteSource[] = [];

export async function makeDirectory(): Promise<void> {
  directory = await mkdtemp(join(tmpdir(), 'spool-test-ranges-'));
}

export const removeDirectory = () => rm(directory, { recursive: true });

/** Closes what a test has opened. */
export async function closeAll(): Promise<void> {
  for (const source of sources.splice(0)) await source.close();
  for (const origin of origins.splice(0)) {
    await expect.poll(() => origin.open()).toBe(0);
    await origin.close();
  }
}

export async function serve(manners: Manners = {}, body: Buffer = file): Promise<RangeOrigin> {
  const origin = await startRangeOrigin(body, manners);
  origins.push(origin);
  return origin;
}

let count = 0;
export async function opened(
  origin: RangeOrigin,
  options: Partial<SourceOptions & GetOptions> = {},
): Promise<RemoteSource & { traffic: { bytes: number; requests: number } }> {
  const traffic = { bytes: 0, requests: 0 };
  const rules = { devOrigins: new Set([origin.url]), ownHosts: new Set<string>() };
  const source = await openSource(urlOrigin(`${origin.url}/a`, { rules, ...options }), {
    path: join(directory, `source-${count++}`),
    limitBytes: 100 * MB,
    signal: AbortSignal.timeout(30_000),
    traffic,
    ...options,
  });
  sources.push(source);
  return { ...source, traffic };
}

export async function bytesOf(source: RemoteSource, [from, to]: Span): Promise<Buffer> {
  const [low, high] = await source.bring([from, to], false);
  expect(low).toBeLessThanOrEqual(from);
  expect(high).toBeGreaterThanOrEqual(to);
  return (await readFile(source.parts().path)).subarray(from, to);
}

export async function failureOf(work: Promise<unknown>): Promise<TaskFailure> {
  const failure = await work.then(
    () => 'it did not fail',
    (reason: unknown) => reason,
  );
  expect(failure).toBeInstanceOf(TaskFailure);
  expect((failure as TaskFailure).message).not.toMatch(/127\.0\.0\.1|\/tmp|etag/i);
  return failure as TaskFailure;
}

export const codeOf = async (work: Promise<unknown>) => (await failureOf(work)).code;

/** Answers the second request, and later ones for a part, in a way of its own. */
export const later = (answer: (exchange: Exchange) => void): Manners => ({
  instead: (exchange) => {
    if (exchange.number === 0 || exchange.span === null) return false;
    answer(exchange);
    return true;
  },
});

export function part(response: Exchange['response'], body: Buffer, [from, to]: Span): void {
  response.writeHead(206, { 'content-range': `bytes ${from}-${to - 1}/${body.length}` });
  response.end(body.subarray(from, to));
}
