import { exampleSourceNames, examplesAt } from '../../../schema/api/examples.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { examplesHere } from '../docs/examples.ts';

export interface ReadyRequest {
  /** In the address of the page. */
  name: string;
  title: string;
  input: Record<string, unknown>;
  /** Whether its sources are served here, so it can be run as it is. */
  runs: boolean;
}

const nameOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Requests to start from: the examples of `/docs/examples`, whose sources are served here, and of the reference. */
export async function readyRequests(context: Context, operation: OperationName): Promise<ReadyRequest[]> {
  const base = examplesAt(context.config.PUBLIC_URL);
  const here = await examplesHere(context);
  return [
    ...here
      .filter((example) => example.operation === operation)
      .map(({ file, title, request }) => ({
        ...{ name: file.replace(/\.\w+$/, ''), title, runs: true },
        input: request(base),
      })),
    ...operations[operation].examples.map(({ title, input }) => ({
      ...{ name: nameOf(title), title, input, runs: false },
    })),
  ];
}

const SAMPLE = 'sample.mp4';

/** Media served here that anybody may use as a source. */
export async function sampleSources(context: Context): Promise<{ title: string; url: string }[]> {
  const { PUBLIC_URL } = context.config;
  const [sample, made] = await Promise.all([context.files.size(`samples/${SAMPLE}`), madeSources(context)]);
  return [
    ...(sample ? [{ title: SAMPLE, url: `${PUBLIC_URL}/samples/${SAMPLE}` }] : []),
    ...made.map((file) => ({ title: file, url: `${examplesAt(PUBLIC_URL)}/${file}` })),
  ];
}

async function madeSources({ assets, config }: Context): Promise<string[]> {
  const response = await assets.fetch(`${config.PUBLIC_URL}/example-sources/made.json`);
  if (response.status !== 200) return [];
  const made = (await response.json()) as Record<string, string>;
  return exampleSourceNames.filter((file) => Object.hasOwn(made, file));
}
