import { inOrder, parseCaptions } from '../../../../schema/media/captions.ts';
import type { OperationInput } from '../../../../schema/operations/index.ts';
import type { TimeMap } from '../../../../schema/task/task.ts';
import type { Brought } from '../../../model/plan.ts';
import type { GivenCaptions, Passage, TextRequest } from '../../../model/read-text.ts';
import { wordsOfText } from '../../../model/segment-words.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import { checkWordCount, moved, passagesOf } from './words.ts';

type Input = Pick<
  OperationInput<'captions_auto'>,
  'captions' | 'captions_url' | 'time_map_task' | 'time_map_source'
>;

/** Where to read the captions from as text; null if there are none or they are given as words. */
export function captionsText(
  { captions, captions_url }: Input,
  texts: readonly string[],
): TextRequest | null {
  if (captions_url !== undefined) return { as: 'captions', field: 'captions_url', text: texts[0] ?? '' };
  return typeof captions === 'string' ? { as: 'captions', field: 'captions', text: captions } : null;
}

/** Throws `captions_invalid`. */
export function readCaptions(text: string, field: string): GivenCaptions {
  const parsed = parseCaptions(text);
  if ('problem' in parsed) throw new TaskFailure('captions_invalid', `${field}: ${parsed.problem}.`);
  if (parsed.kind !== 'script') return { kind: 'timed', passages: passagesOf(parsed) };
  checkWordCount(wordsOfText(text).length);
  return parsed;
}

/** The captions that the caller gave; null if none. Throws `captions_invalid`. */
export function givenCaptions(input: Input, brought: Brought | undefined): GivenCaptions | null {
  const { captions } = input;
  if (captions !== undefined && typeof captions !== 'string') {
    return { kind: 'timed', passages: passagesOf({ kind: 'words', words: inOrder(captions) }) };
  }
  if (brought?.read?.as === 'captions') return brought.read.captions;
  const asked = captionsText(input, brought?.texts ?? []);
  return asked && readCaptions(asked.text, asked.field);
}

/**
 * Given captions that have times, mapped to the output of an earlier task if they belong to its source; otherwise null.
 */
export function givenPassages(input: Input, brought: Brought | undefined): Passage[] | null {
  const given = givenCaptions(input, brought);
  const passages = given?.kind === 'timed' ? given.passages : null;
  if (input.time_map_task === undefined) return passages;
  if (!passages)
    throw new TaskFailure(
      'captions_invalid',
      'time_map_task needs captions with times, but the captions are a plain script.',
    );
  const [map = []] = brought?.timeMaps ?? [];
  checkShows(map, input.time_map_source);
  const left = moved(passages, map, input.time_map_source);
  if (left.length > 0) return left;
  const detail = 'None of the captions lie in the parts that the task in time_map_task has kept.';
  throw new TaskFailure('time_out_of_range', detail);
}

/** Throws `time_out_of_range` if a task does not play this source forwards. */
function checkShows(map: TimeMap, source: number): void {
  const forwards = map.filter((span) => span.in[1] > span.in[0]);
  const played = [...new Set(forwards.map((span) => span.source))].sort((a, b) => a - b);
  if (played.includes(source)) return;
  const task = 'The output of the task in time_map_task';
  const list = `${played.length === 1 ? 'source' : 'the sources'} ${played.join(', ')}`;
  const detail = map.some((span) => span.source === source)
    ? `${task} plays source ${source} backwards or holds a frame of it, where captions have no times.`
    : played.length === 0
      ? `${task} plays no source, so captions have no times in it.`
      : `${task} does not play source ${source}, which time_map_source names. It plays ${list}.`;
  throw new TaskFailure('time_out_of_range', detail);
}
