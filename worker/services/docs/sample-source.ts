import { judgeUrl } from '../../../guard/url.ts';
import type { Context } from '../../context.ts';
import { guardRules } from '../../lib/guard-rules.ts';

const KEY = 'samples/sample.mp4';

/**
 * A video that tasks can read without one of the caller's own; null if there is none. A deployed service may not read from itself,
 * so only a local one has it.
 */
export async function sampleSource({ config, files }: Context): Promise<string | null> {
  const url = `${config.PUBLIC_URL}/${KEY}`;
  if (!judgeUrl(url, guardRules(config)).allowed) return null;
  return (await files.size(KEY)) ? url : null;
}
