import { type EngineCapability, type EngineId, engineOf, enginesFor } from '../../../schema/media/engines.ts';
import { TaskFailure } from '../../model/task-failure.ts';

/**
 * The engines that can serve a request, best first: the requested one, or for `auto` all available engines that support
 * the language. Throws `engine_unavailable`.
 */
export function enginesThatServe(
  capability: EngineCapability,
  asked: 'auto' | EngineId,
  present: ReadonlySet<EngineId>,
  language?: string,
): [EngineId, ...EngineId[]] {
  const candidates = asked === 'auto' ? enginesFor(capability) : [asked];
  const fitting = specialistsFirst(candidates, language).filter((id) => speaks(id, language));
  const [best, ...others] = fitting.filter((id) => present.has(id));
  if (best) return [best, ...others];
  if (asked !== 'auto' && fitting.length === 0) {
    throw new TaskFailure(
      'engine_unavailable',
      `${engineOf(asked).title} does not support the language \`${language}\`. Choose another engine or language.`,
    );
  }
  const spoken = language === undefined ? '' : ` for the language \`${language}\``;
  const what =
    asked === 'auto' ? `No engine${spoken} is available.` : `${engineOf(asked).title} is not available.`;
  // Other engines can only be made available by the operator.
  const key = fitting.map((id) => engineOf(id)).find(({ tier }) => tier === 'cloud');
  throw new TaskFailure(
    'engine_unavailable',
    `${what} ${key ? key.get : '`GET /capabilities` lists the available engines.'}`,
  );
}

/** An engine for the requested language alone goes before its equals for many. */
function specialistsFirst(ids: readonly EngineId[], language: string | undefined): EngineId[] {
  const wanted = language?.split('-')[0];
  const only = (id: EngineId) => {
    const { languages } = engineOf(id);
    return languages.length === 1 && languages[0] === wanted;
  };
  const kind = (id: EngineId) => `${engineOf(id).tier}/${engineOf(id).quality}`;
  const kinds = ids.map(kind);
  const rank = (id: EngineId) => 2 * kinds.indexOf(kind(id)) + (only(id) ? 0 : 1);
  return ids.toSorted((one, other) => rank(one) - rank(other));
}

function speaks(id: EngineId, language: string | undefined): boolean {
  const languages: readonly string[] = engineOf(id).languages;
  if (language === undefined || languages.length === 0 || languages.includes('*')) return true;
  return languages.includes(language.split('-')[0] ?? language);
}
