import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import {
  type Delivery,
  deliveryList,
  endpoint as endpointSchema,
  webhookEvent,
  webhookSecret,
} from '../../../schema/api/webhook.ts';
import type { Job } from '../../../schema/task/wire.ts';
import { type Service, sleep, startService, type TestAccount } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';

/** Set by startStand: a service whose tasks are worked on by a stand-in, and a receiver of webhooks. */
export let service: Service;
export let transcoder: StandIn;
export let receiver: Receiver;

export const cut = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

export async function startStand(): Promise<void> {
  transcoder = await startStandIn();
  receiver = await startReceiver();
  service = await startService({
    TRANSCODER_URL: transcoder.origin,
    SPOOL_DEV_ORIGINS: receiver.origin,
    WEBHOOK_TIMEOUT_SECONDS: '3',
  });
}

export async function closeStand(): Promise<void> {
  await service.close();
  await transcoder.close();
  await receiver.close();
}

let paths = 0;
/** An address of the receiver that no other test uses. */
export function address(answer?: Parameters<Receiver['answers']['set']>[1]): { path: string; url: string } {
  paths += 1;
  const path = `/hook-${paths}`;
  if (answer) receiver.answers.set(path, answer);
  return { path, url: `${receiver.origin}${path}` };
}

export async function until(check: () => Promise<boolean> | boolean, seconds = 20): Promise<void> {
  for (let tries = 0; tries < seconds * 20; tries++) {
    if (await check()) return;
    await sleep(50);
  }
  throw new Error(`it did not come to pass within ${seconds} s`);
}

export async function start(key: string, more: object = {}): Promise<{ id: string; job: Job }> {
  const { id } = await service.submit('/cut', { ...cut, ...more }, key);
  return { id, job: await transcoder.jobOf(id) };
}

export const complete = (job: Job) =>
  transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
export const fail = (job: Job) =>
  transcoder.report(job, {
    type: 'failed',
    failure: { code: 'source_unreachable', detail: 'It did not answer.', stage: 'fetching' },
  });

export async function log(key: string, query = ''): Promise<Delivery[]> {
  const response = await service.request(`/webhooks/deliveries${query}`, { key });
  expect(response.status).toBe(200);
  return deliveryList.parse(await response.json()).data;
}

/** The only delivery of an account, once it is as wanted. */
export async function deliveryWhen(key: string, want: (one: Delivery) => boolean): Promise<Delivery> {
  await until(async () => (await log(key)).some(want));
  const found = await log(key);
  expect(found).toHaveLength(1);
  return found[0] as Delivery;
}

export const secretOf = async (key: string) =>
  webhookSecret.parse(await (await service.request('/webhooks/secret', { key })).json());
export const rotate = async (key: string) =>
  webhookSecret.parse(
    await (await service.request('/webhooks/secret/rotate', { method: 'POST', key })).json(),
  );
export const createEndpoint = async (key: string, url: string, events?: string[]) => {
  const response = await service.request('/webhooks/endpoints', { key, json: { url, events } });
  expect(response.status).toBe(201);
  return endpointSchema.parse(await response.json());
};
export const redeliver = (id: string, key: string) =>
  service.request(`/webhooks/deliveries/${id}/redeliver`, { method: 'POST', key });

/** Throws where the signature is not good. */
export const verified = (secret: string, { body, headers }: Received) =>
  webhookEvent.parse(new Webhook(secret).verify(body, headers));

/** As if so many milliseconds had gone by for the deliveries of an account. */
export async function age({ id }: TestAccount, ms: number): Promise<void> {
  const { DB } = await service.bindings();
  await DB.prepare(
    'update webhook_deliveries set next_attempt_at = next_attempt_at - ?, created_at = created_at - ? where account_id = ?',
  )
    .bind(ms, ms, id)
    .run();
}
/** Runs the cron job that is due at this time from now. */
export const sweep = (inMs = 0) =>
  service.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date(Date.now() + inMs) });
