import { z } from 'zod';
import { parseDevOrigins } from '../guard/dev-origins.ts';

const secret = z.string().min(32, { error: 'Expected at least 32 characters' });
const flag = z.enum(['development', 'production']);
const origin = z.url().refine((value) => new URL(value).origin === value, {
  error: 'Expected an origin such as https://spool.example.com, without a path or trailing slash',
});

/** Every variable and secret of the Worker; the README's table is generated from this. */
export const settings = {
  SPOOL_ENV: { schema: flag, default: 'production', doc: '`production` refuses `SPOOL_DEV_ORIGINS`.' },
  PUBLIC_URL: { schema: origin, default: null, doc: 'Public origin of the Worker, for links and callbacks.' },
  CALLBACK_URL: {
    schema: z.union([z.literal(''), origin]),
    default: '',
    doc: 'Origin the transcoder reports to, if it differs from `PUBLIC_URL`.',
  },
  TRANSCODER_URL: {
    schema: z.union([z.literal(''), origin]),
    default: '',
    doc: 'Origin of a transcoder fleet; empty uses the container binding.',
  },
  TRANSCODER_SLEEP_SECONDS: {
    schema: z.coerce.number().int().min(5).max(3600),
    default: '30',
    doc: 'Maximum time an idle container stays awake, 5 to 3600 seconds; the plan may set less.',
  },
  MAX_INSTANCES: {
    schema: z.coerce.number().int().min(1).max(10_000),
    default: '50',
    doc: 'Maximum number of running containers; must equal `max_instances` in `wrangler.toml`. Unused with `TRANSCODER_URL`.',
  },
  SPOOL_DEV_ORIGINS: {
    schema: z.string().transform((text, context) => {
      const parsed = parseDevOrigins(text);
      if (parsed.wrong === null) return [...parsed.origins];
      context.addIssue({ code: 'custom', message: parsed.wrong });
      return z.NEVER;
    }),
    default: '',
    doc: 'Loopback origins allowed as sources, comma-separated and matched exactly; development only.',
  },
  KEY_PEPPER: {
    schema: secret,
    default: null,
    doc: 'Secret. Hashes API keys; changing it invalidates every key.',
  },
  SIGNING_SECRET: {
    schema: secret,
    default: null,
    doc: 'Secret. Signs download links and callbacks, seals webhook secrets.',
  },
  TRANSCODER_SECRET: {
    schema: secret,
    default: null,
    doc: 'Secret. Signs dispatches to the transcoder; must be the same there.',
  },
  WEBHOOK_DNS_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    default: 'https://cloudflare-dns.com/dns-query',
    doc: 'DNS-over-HTTPS server (JSON format) that resolves the hosts of webhook receivers; `http://` in development only.',
  },
  WEBHOOK_TIMEOUT_SECONDS: {
    schema: z.coerce.number().min(1).max(15),
    default: '15',
    doc: 'Response timeout for webhook receivers, 1 to 15 seconds.',
  },
  S3_ENDPOINT: { schema: z.string(), default: '', doc: 'S3 endpoint of the bucket, passed to containers.' },
  S3_BUCKET: { schema: z.string(), default: 'spool-files', doc: 'Name of the bucket, passed to containers.' },
  S3_ACCESS_KEY_ID: { schema: z.string(), default: '', doc: 'Secret. R2 access key, passed to containers.' },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string(),
    default: '',
    doc: 'Secret. R2 secret key, passed to containers.',
  },
} as const satisfies Record<string, { schema: z.ZodType; default: string | null; doc: string }>;

export type Config = { readonly [K in keyof typeof settings]: z.output<(typeof settings)[K]['schema']> };

const parsed = new WeakMap<object, Config>();

/** Parses the variables once per isolate. Throws an error that names the invalid variable. */
export function readConfig(env: object): Config {
  const known = parsed.get(env);
  if (known) return known;
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(settings)) {
    const result = setting.schema.safeParse(Reflect.get(env, name) ?? setting.default ?? undefined);
    if (!result.success) {
      throw new Error(`${name}: ${result.error.issues[0]?.message ?? 'not valid'} (${setting.doc})`);
    }
    config[name] = result.data;
  }
  const checked = config as Config;
  if (checked.SPOOL_ENV === 'production' && checked.SPOOL_DEV_ORIGINS.length > 0) {
    throw new Error('SPOOL_DEV_ORIGINS: not allowed in production; unset it or set SPOOL_ENV=development');
  }
  if (checked.SPOOL_ENV === 'production' && !checked.WEBHOOK_DNS_URL.startsWith('https:')) {
    throw new Error('WEBHOOK_DNS_URL: must be https in production');
  }
  parsed.set(env, checked);
  return checked;
}
