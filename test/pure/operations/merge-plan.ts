import { operations } from '../../../schema/operations/index.ts';
import type { Capabilities } from '../../../transcoder/model/capabilities.ts';
import type { Facts } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import type { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { mergeUrls } from '../../../transcoder/operations/merge/merge-urls.ts';
import { closed } from './plan-graph.ts';
import { capabilities, means, source } from './sources.ts';

export const url = 'https://media.example.com/a.mp4';

interface Given {
  clips?: readonly MediaProbe[];
  facts?: Facts;
  capabilities?: Capabilities;
}

/** The plan of a merge, by default of two clips of the same kind. */
export function planOf(request: Record<string, unknown>, given: Given = {}) {
  const { clips = [source, source], facts = {} } = given;
  const input = operations.merge_urls.input.parse({ urls: clips.map(() => url), ...request });
  const probes = input.background_audio_url === undefined ? clips : [...clips, source];
  const asked = { input, probes, facts, ...means, capabilities: given.capabilities ?? capabilities };
  return closed(mergeUrls.plan(asked), { facts });
}

export function failureOf(work: () => unknown): Partial<TaskFailure> {
  try {
    work();
  } catch (error) {
    return error as TaskFailure;
  }
  throw new Error('it was expected to fail');
}
