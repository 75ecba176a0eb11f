import { examplesAt } from '../../../schema/api/examples.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { pointer } from '../../lib/text/plain-issue.ts';
import { slug } from '../../lib/text/slug.ts';
import { examplesHere } from '../docs/examples.ts';
import { readableSources, readsItself, sampleSource, samplesHere } from '../docs/sample-source.ts';
import { withSamples } from '../docs/stand-ins.ts';

export interface ReadyRequest {
  /** In the address of the page. */
  name: string;
  title: string;
  input: Record<string, unknown>;
  /** Addresses that no task can read. Without any, it can be run as it is. */
  placeholders: FieldError[];
}

/**
 * Requests to start from: the examples of `/docs/examples`, whose sources are served here, and of the reference, with samples in
 * place of their media where there are some.
 */
export async function readyRequests(context: Context, operation: OperationName): Promise<ReadyRequest[]> {
  const url = context.config.PUBLIC_URL;
  const [here, samples] = await Promise.all([examplesHere(context), samplesHere(context)]);
  const readable = new Set(Object.values(samples));
  const isRead = (address: string) =>
    readable.has(address) || (readsItself(context) && address.startsWith(`${url}/`));
  const ready = (name: string, title: string, input: Record<string, unknown>): ReadyRequest => ({
    ...{ name, title, input, placeholders: placeholdersIn(input, isRead, []) },
  });
  return [
    ...here
      .filter((example) => example.operation === operation)
      .map(({ file, title, request }) => ready(file.replace(/\.\w+$/, ''), title, request(examplesAt(url)))),
    ...operations[operation].examples.map(({ title, input }) =>
      ready(slug(title), title, JSON.parse(withSamples(JSON.stringify(input), samples))),
    ),
  ];
}

function placeholdersIn(
  value: unknown,
  isRead: (address: string) => boolean,
  path: readonly string[],
): FieldError[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => placeholdersIn(inner, isRead, [...path, key]));
  if (typeof value !== 'string' || !/^https?:\/\//.test(value) || isRead(value)) return [];
  const detail = 'This address is only an example. Replace it with one of yours, a sample or a file.';
  return [{ pointer: pointer(path), code: 'placeholder', detail }];
}

/** Media that every task can read. */
export async function sampleSources(context: Context): Promise<{ title: string; url: string }[]> {
  const [sample, made] = await Promise.all([sampleSource(context), readableSources(context)]);
  return [
    ...(sample === null ? [] : [{ title: 'sample.mp4', url: sample }]),
    ...made.map((file) => ({ title: file, url: `${examplesAt(context.config.PUBLIC_URL)}/${file}` })),
  ];
}
