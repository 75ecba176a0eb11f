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
  const fitting = (asked === 'auto' ? enginesFor(capability) : [asked]).filter((id) => speaks(id, language));
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

function speaks(id: EngineId, language: string | undefined): boolean {
  const languages: readonly string[] = engineOf(id).languages;
  if (language === undefined || languages.length === 0 || languages.includes('*')) return true;
  return languages.includes(language.split('-')[0] ?? language);
}
