import type { Fault } from '../fault.ts';

const deliveries = 'test/worker/webhooks/deliveries.test.ts';
const settings = 'test/worker/webhooks/settings.test.ts';

/** Who may be sent events, and what the events prove. */
export const webhookReceivers: readonly Fault[] = [
  {
    guard: 'Webhook receivers are checked by the same guard when they are registered',
    file: 'worker/services/webhooks/receiver-url.ts',
    find: 'if (verdict.allowed) return;',
    plant: 'return;',
    test: { file: settings, name: 'as %s is refused as %s, by the name of its field' },
  },
  {
    guard: 'again before every attempt',
    file: 'worker/services/webhooks/receiver-url.ts',
    find: "if (!verdict.allowed) return 'forbidden';",
    plant: 'if (!verdict.allowed) return new URL(text);',
    test: { file: deliveries, name: 'at an address that is not allowed any more is not connected to' },
  },
  {
    guard: 'their names are resolved over HTTPS (`WEBHOOK_DNS_URL`) and checked',
    file: 'worker/services/webhooks/receiver-url.ts',
    find: 'return addresses.every(',
    plant: 'return addresses.some(',
    test: { file: 'test/security/receivers.test.ts', name: '$name is not called' },
  },
  {
    guard: 'their names are resolved over HTTPS (`WEBHOOK_DNS_URL`)',
    file: 'worker/env.ts',
    find: "if (checked.SPOOL_ENV === 'production' && !checked.WEBHOOK_DNS_URL.startsWith('https:')) {",
    plant: 'if (false) {',
    test: {
      file: 'test/pure/worker/config.test.ts',
      name: 'refuse to look up receivers without TLS in production',
    },
  },
  {
    guard: 'Redirects are not followed',
    file: 'worker/lib/post-event.ts',
    find: "redirect: 'manual'",
    plant: "redirect: 'follow'",
    test: { file: 'test/worker/webhooks/post-event.test.ts', name: 'does not follow a %i' },
  },
  {
    guard: 'a delivery is one request at a time',
    file: 'worker/repos/webhook-deliveries.ts',
    find: 'sql`case when ${claimed} then ${due} + 1 else ${now} end`',
    plant: 'now',
    test: {
      file: deliveries,
      name: 'that does not answer gets one request at a time, however often a redelivery is asked for',
    },
  },
  {
    guard: 'Webhook secrets are sealed in the database',
    file: 'worker/context.ts',
    find: 'sealer: sealer(config.SIGNING_SECRET)',
    plant:
      'sealer: { seal: async (text: string, _: string) => text, open: async (text: string, _: string) => text }',
    test: {
      file: 'test/security/keys.test.ts',
      name: 'and every secret stands nowhere in the database as it is',
    },
  },
  {
    guard: 'Webhook secrets are sealed in the database',
    file: 'schema/api/seal.ts',
    find: 'additionalData: encoder.encode(about)',
    plant: 'additionalData: encoder.encode(about.slice(0, 0))',
    test: {
      file: 'test/pure/worker/worker-parts.test.ts',
      name: 'is opened for whom it is about, with the master secret it was sealed with, and for nobody else',
    },
  },
  {
    guard: 'the query string of a webhook URL',
    file: 'worker/lib/text/redact.ts',
    find: 'text.slice(0, query)',
    plant: 'text',
    test: { file: settings, name: 'keeps its query string to itself' },
  },
];
