import { judgeUrl } from '../../guard/url.ts';
import type { Context } from '../context.ts';
import { guardRules } from '../lib/guard-rules.ts';
import { Problem } from '../problem.ts';

/**
 * Refuses early, naming the field, a receiver of webhooks that no attempt would be made at.
 * @throws Problem validation_failed
 */
export function checkReceiverUrl({ config }: Context, pointer: string, url: string): void {
  const verdict = judgeUrl(url, guardRules(config));
  if (verdict.allowed) return;
  const code = verdict.code === 'source_not_https' ? 'url_not_https' : 'url_forbidden';
  throw new Problem('validation_failed', `${pointer}: ${verdict.detail}`, {
    errors: [{ pointer, code, detail: verdict.detail }],
  });
}
