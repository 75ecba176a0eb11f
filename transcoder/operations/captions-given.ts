import { type Captions, inOrder, parseCaptions } from '../../schema/captions.ts';
import type { OperationInput } from '../../schema/operations/index.ts';
import { TaskFailure } from '../failure.ts';
import type { Brought } from '../media/plan.ts';
import { moved, type Passage, passagesOf } from './captions-words.ts';

type Input = OperationInput<'captions_auto'>;

/** What a caller gives of captions; null where there are none. Throws `captions_invalid`. */
export function givenCaptions(
  { captions, captions_url }: Input,
  brought: Brought | undefined,
): Captions | null {
  if (captions !== undefined && typeof captions !== 'string')
    return { kind: 'words', words: inOrder(captions) };
  const text = captions_url === undefined ? captions : (brought?.texts[0] ?? '');
  if (text === undefined) return null;
  const parsed = parseCaptions(text);
  if ('problem' in parsed) throw new TaskFailure('captions_invalid', `captions_url: ${parsed.problem}.`);
  return parsed;
}

/** Those of them that have their times, moved where another task has moved what they are of; null for the others. */
export function givenPassages(input: Input, brought: Brought | undefined): Passage[] | null {
  const given = givenCaptions(input, brought);
  const passages = given && passagesOf(given);
  if (input.time_map_task === undefined) return passages;
  if (!passages)
    throw new TaskFailure(
      'captions_invalid',
      'time_map_task moves captions that have times; a script has none.',
    );
  const left = moved(passages, brought?.timeMaps[0] ?? [], input.time_map_source);
  if (left.length > 0) return left;
  const detail = 'Nothing of the captions lies in what the task of time_map_task has kept.';
  throw new TaskFailure('time_out_of_range', detail);
}
