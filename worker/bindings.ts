import type { MailMessage } from '../schema/api/mail.ts';
import type { PlanName } from '../schema/api/plans.ts';
import type { QueueEcho } from '../schema/api/status.ts';
import type { DeliveryMessage } from '../schema/api/webhook.ts';
import type { DispatchMessage } from '../schema/task/wire.ts';
import type { AccountRpc } from './account/account-rpc.ts';
import type { TranscoderRpc } from './container/transcoder-rpc.ts';
import type { FleetRpc } from './fleet/fleet-rpc.ts';
import type { AiBinding } from './lib/workers-ai.ts';

/** The bindings of wrangler.toml. Read variables through `readConfig` of env.ts. */
export interface Env {
  DB: D1Database;
  FILES: R2Bucket;
  DISPATCH: Queue<DispatchMessage | QueueEcho>;
  WEBHOOKS: Queue<DeliveryMessage>;
  MAILS: Queue<MailMessage>;
  /** Exists only where the operator has added it. */
  MAIL_SENDER?: SendEmail;
  /** Workers AI; exists only where the operator has added it. */
  AI?: AiBinding;
  ACCOUNT: DurableObjectNamespace<AccountRpc>;
  FLEET: DurableObjectNamespace<FleetRpc>;
  TRANSCODER: DurableObjectNamespace<TranscoderRpc>;
  ASSETS: Fetcher;
  POLLS_BASIC: RateLimit;
  POLLS_BOOST: RateLimit;
  POLLS_ELITE: RateLimit;
  ADDRESS_PUBLIC: RateLimit;
  ADDRESS_REFUSED: RateLimit;
}

export function pollLimiter(env: Env, plan: PlanName): RateLimit {
  const limiters = { basic: env.POLLS_BASIC, boost: env.POLLS_BOOST, elite: env.POLLS_ELITE };
  return limiters[plan];
}
