import { drizzle } from 'drizzle-orm/d1';
import { sealer } from '../schema/api/seal.ts';
import { hmacKey } from '../schema/api/signature.ts';
import type { QueueEcho } from '../schema/api/status.ts';
import type { AccountStub } from './account/account-rpc.ts';
import type { Env } from './bindings.ts';
import { type Config, readConfig } from './env.ts';
import type { FleetStub } from './fleet/fleet-rpc.ts';
import { hashKey } from './lib/api-key.ts';
import { type NextAttempt, queueAttempts } from './lib/delivery-queue.ts';
import { markOutages } from './lib/outage.ts';
import { requestLimiter } from './lib/request-limiter.ts';
import { transcoderClient } from './lib/transcoder-client.ts';
import { withoutParameters } from './lib/without-parameters.ts';
import { workersAi } from './lib/workers-ai.ts';
import { accountsRepo } from './repos/accounts.ts';
import { archiveRepo } from './repos/archive.ts';
import { deadLettersRepo } from './repos/dead-letters.ts';
import { filesRepo } from './repos/files.ts';
import { keysRepo } from './repos/keys.ts';
import { limitNoticesRepo } from './repos/limit-notices.ts';
import { poll } from './repos/poll.ts';
import { retentionRepo } from './repos/retention.ts';
import { statusRepo } from './repos/status.ts';
import { statusObjectsRepo } from './repos/status-objects.ts';
import { taskListRepo } from './repos/task-list.ts';
import { taskSourcesRepo } from './repos/task-sources.ts';
import { tasksRepo } from './repos/tasks.ts';
import { transcoderStateRepo } from './repos/transcoder-state.ts';
import { uploadFilesRepo } from './repos/upload-files.ts';
import { uploadsRepo } from './repos/uploads.ts';
import { usageRepo } from './repos/usage.ts';
import { webhookDeliveriesRepo } from './repos/webhook-deliveries.ts';
import { webhookEndpointsRepo } from './repos/webhook-endpoints.ts';
import { webhookSecretsRepo } from './repos/webhook-secrets.ts';

/** The composition root: the services and repositories, built from the bindings. */
export function makeContext(env: Env) {
  const config: Config = readConfig(env);
  const db = markOutages(env.DB);
  const primary = drizzle(db);
  const bucket = markOutages(env.FILES);
  const transcoderState = transcoderStateRepo(bucket);
  const pepper = hmacKey(config.KEY_PEPPER);
  return {
    config,
    accounts: withoutParameters(accountsRepo(primary)),
    keys: withoutParameters(keysRepo(primary)),
    tasks: withoutParameters(tasksRepo(primary)),
    taskList: withoutParameters(taskListRepo(primary)),
    taskSources: withoutParameters(taskSourcesRepo(primary)),
    usage: withoutParameters(usageRepo(primary)),
    limitNotices: withoutParameters(limitNoticesRepo(primary)),
    archive: withoutParameters(archiveRepo(primary, bucket)),
    retention: withoutParameters(retentionRepo(primary)),
    deadLetters: withoutParameters(deadLettersRepo(primary)),
    webhookEndpoints: withoutParameters(webhookEndpointsRepo(primary)),
    webhookSecrets: withoutParameters(webhookSecretsRepo(primary)),
    webhookDeliveries: withoutParameters(webhookDeliveriesRepo(primary)),
    status: withoutParameters(statusRepo(primary)),
    statusObjects: statusObjectsRepo(bucket),
    sealer: sealer(config.SIGNING_SECRET),
    files: markOutages(filesRepo(env.FILES)),
    uploads: withoutParameters(uploadsRepo(primary)),
    uploadFiles: markOutages(uploadFilesRepo(env.FILES)),
    transcoder: transcoderClient(env, config, transcoderState.read),
    transcoderState,
    assets: env.ASSETS,
    /** Null unless the operator has bound Workers AI. */
    workersAi: env.AI ? workersAi(env.AI) : null,
    poll: markOutages({
      /** Reads from the nearest replica, which may not have a new task yet. */
      nearby: (hash: string, id: string) => poll(env.DB.withSession('first-unconstrained'), hash, id),
      primary: (hash: string, id: string) => poll(env.DB, hash, id),
    }),
    limiter: requestLimiter(env),
    async hashKey(key: string): Promise<string> {
      return hashKey(key, await pepper);
    },
    /** Queues delivery attempts with a delay. Does not throw. */
    queueAttempts(attempts: readonly NextAttempt[], delaySeconds?: number): Promise<void> {
      return queueAttempts(env.WEBHOOKS, attempts, delaySeconds);
    },
    /** Sends a message to this service itself, through the queue that tasks take. */
    async sendEcho(echo: QueueEcho): Promise<void> {
      await env.DISPATCH.send(echo);
    },
    /** The object that shares the machines among the accounts. */
    get fleet(): FleetStub {
      return markOutages(env.FLEET.getByName('fleet'));
    },
    account(accountId: string): AccountStub {
      return markOutages(env.ACCOUNT.getByName(accountId));
    },
  };
}

export type Context = ReturnType<typeof makeContext>;
