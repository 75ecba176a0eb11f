import { examplesAt } from '../../../schema/api/examples.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { slug } from '../../lib/text/slug.ts';
import { examplesHere } from '../docs/examples.ts';
import { readableSources, readsItself, sampleSource } from '../docs/sample-source.ts';

export interface ReadyRequest {
  /** In the address of the page. */
  name: string;
  title: string;
  input: Record<string, unknown>;
  /** Whether tasks can read its sources, so it can be run as it is. */
  runs: boolean;
}

/** Requests to start from: the examples of `/docs/examples`, whose sources are served here, and of the reference. */
export async function readyRequests(context: Context, operation: OperationName): Promise<ReadyRequest[]> {
  const base = examplesAt(context.config.PUBLIC_URL);
  const here = await examplesHere(context);
  const runs = readsItself(context);
  return [
    ...here
      .filter((example) => example.operation === operation)
      .map(({ file, title, request }) => ({
        ...{ name: file.replace(/\.\w+$/, ''), title, runs },
        input: request(base),
      })),
    ...operations[operation].examples.map(({ title, input }) => ({
      ...{ name: slug(title), title, input, runs: false },
    })),
  ];
}

/** Media that every task can read. */
export async function sampleSources(context: Context): Promise<{ title: string; url: string }[]> {
  const [sample, made] = await Promise.all([sampleSource(context), readableSources(context)]);
  return [
    ...(sample === null ? [] : [{ title: 'sample.mp4', url: sample }]),
    ...made.map((file) => ({ title: file, url: `${examplesAt(context.config.PUBLIC_URL)}/${file}` })),
  ];
}
