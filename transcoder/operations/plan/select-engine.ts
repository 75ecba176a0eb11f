import { type EngineCapability, type EngineId, engineOf, enginesFor } from '../../../schema/media/engines.ts';
import { TaskFailure } from '../../model/task-failure.ts';

/**
 * The engines that serve a request, best first: the one that was asked for, or of `auto` all that are present here and
 * speak the language. Throws `engine_unavailable`, which says what would make one available.
 */
export function enginesThatServe(
  capability: EngineCapability,
  asked: 'auto' | EngineId,
  present: ReadonlySet<EngineId>,
  language?: string,
): [EngineId, ...EngineId[]] {
  const fitting = (asked === 'auto' ? enginesFor(capability) : [asked]).filter((id) => speaks(id, language));
  const [best, ...others] = fitting.filter((id) => present.has(id));
  if (best) return [best, ...others];
  if (asked !== 'auto' && fitting.length === 0) {
    throw new TaskFailure('engine_unavailable', `${engineOf(asked).title} does not speak ${language}.`);
  }
  const what = asked === 'auto' ? `No engine here can do this.` : `${engineOf(asked).title} is not here.`;
  const ways = fitting.map((id) => `${engineOf(id).title}: ${engineOf(id).get}`);
  throw new TaskFailure('engine_unavailable', [what, ...ways].join(' '));
}

function speaks(id: EngineId, language: string | undefined): boolean {
  const languages: readonly string[] = engineOf(id).languages;
  if (language === undefined || languages.length === 0 || languages.includes('*')) return true;
  return languages.includes(language.split('-')[0] ?? language);
}
