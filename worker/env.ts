import { z } from 'zod';
import { parseDevOrigins } from '../guard/dev-origins.ts';
import { settingProblem } from '../guard/setting-problem.ts';
import { speechApiFault } from '../guard/speech-api-fault.ts';

interface Setting {
  /** Each error completes "must be …". */
  schema: z.ZodType;
  /** Used if the variable is missing; null if it is required. */
  default: string | null;
  doc: string;
  /** The value is never shown. */
  secret?: boolean;
}

const longSecret = z.string().min(32, { error: 'at least 32 characters' });
const environment = z.enum(['development', 'production'], { error: 'development or production' });
const origin = z.string().refine((value) => URL.canParse(value) && new URL(value).origin === value, {
  error: 'an origin such as https://spool.example.com, without a path or trailing slash',
});
const originOrNone = z.union([z.literal(''), origin], {
  error: 'empty, or an origin such as https://spool.example.com, without a path or trailing slash',
});
const httpsUrlOrNone = z.union([z.literal(''), z.url({ protocol: /^https$/, error: 'an https URL' })], {
  error: 'empty, or an https URL',
});
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL' });

function integer(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error });
}

/** Every variable and secret of the Worker; the README's table is generated from this. */
export const settings = {
  SPOOL_ENV: {
    schema: environment,
    default: 'production',
    doc: '`production` or `development`, which allows `SPOOL_DEV_ORIGINS` and a `WEBHOOK_DNS_URL` without TLS.',
  },
  PUBLIC_URL: {
    schema: origin,
    default: null,
    doc: 'Public origin of the Worker, for links and callbacks, without a path or trailing slash.',
  },
  CALLBACK_URL: {
    schema: originOrNone,
    default: '',
    doc: 'Origin to which the transcoder reports, if it differs from `PUBLIC_URL`.',
  },
  TRANSCODER_URL: {
    schema: originOrNone,
    default: '',
    doc: 'Origin of your transcoder fleet. If empty, tasks run in containers.',
  },
  TRANSCODER_SLEEP_SECONDS: {
    schema: integer(5, 3600),
    default: '30',
    doc: 'Maximum time an idle container stays awake, in seconds, 5 to 3600; the plan may set less.',
  },
  MAX_INSTANCES: {
    schema: integer(1, 10_000),
    default: '50',
    doc: 'Maximum number of running containers, 1 to 10000; must equal `max_instances` in `wrangler.toml`. Unused with `TRANSCODER_URL`.',
  },
  SPOOL_DEV_ORIGINS: {
    schema: z.string().transform((list, context) => {
      const parsed = parseDevOrigins(list);
      if (parsed.wrong === null) return [...parsed.origins];
      context.addIssue({
        code: 'custom',
        message: `loopback origins such as http://127.0.0.1:9000, separated by commas (${parsed.wrong})`,
      });
      return z.NEVER;
    }),
    default: '',
    doc: 'Loopback origins allowed as sources, separated by commas and matched exactly. With it, every request fails in production.',
  },
  KEY_PEPPER: {
    schema: longSecret,
    default: null,
    secret: true,
    doc: 'Secret. Hashes API keys, at least 32 characters; changing it invalidates every key.',
  },
  SIGNING_SECRET: {
    schema: longSecret,
    default: null,
    secret: true,
    doc: 'Secret. Signs download links and callbacks and seals webhook secrets, at least 32 characters; changing it ends links and fails running tasks.',
  },
  TRANSCODER_SECRET: {
    schema: longSecret,
    default: null,
    secret: true,
    doc: 'Secret. Signs dispatches to the transcoder, which must have the same; at least 32 characters.',
  },
  WEBHOOK_DNS_URL: {
    schema: httpUrl,
    default: 'https://cloudflare-dns.com/dns-query',
    doc: 'URL of a DNS-over-HTTPS server (JSON format) that resolves the hosts of webhook receivers; `http://` in development only.',
  },
  WEBHOOK_TIMEOUT_SECONDS: {
    schema: integer(1, 15),
    default: '15',
    doc: 'Response timeout for webhook receivers, in seconds, 1 to 15.',
  },
  SIGN_UP: {
    schema: z.enum(['trial', 'inactive'], { error: 'trial or inactive' }),
    default: 'inactive',
    doc: 'What a first sign-in gets: an account on a free `trial` of Basic, or one whose subscription is `inactive`.',
  },
  TRIAL_DAYS: {
    schema: integer(1, 365),
    default: '14',
    doc: 'Length of the free trial in days, 1 to 365.',
  },
  SAMPLE_URL: {
    schema: httpsUrlOrNone,
    default: '',
    doc: 'A video that tasks can read, for the first task of a new account; not on this service, which does not read from itself. If empty, a local service has its own, and a deployed one asks for an address.',
  },
  STATUS_TASK_MINUTES: {
    schema: integer(0, 1440),
    default: '5',
    doc: 'Minutes between the probe tasks of `/status`, 0 to 1440, in steps of 5; 0 runs none. With containers, each starts one for some seconds.',
  },
  SECURITY_CONTACT: {
    schema: z.string().regex(/^$|^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, {
      error: 'empty, or mailto: with an address, or an https URL',
    }),
    default: '',
    doc: 'Where vulnerabilities are reported, as `mailto:security@example.com` or an https URL. With it, `/.well-known/security.txt` exists.',
  },
  SECURITY_POLICY_URL: {
    schema: httpsUrlOrNone,
    default: '',
    doc: 'URL of your policy for reports of vulnerabilities, for the same file.',
  },
  SECURITY_LANGUAGES: {
    schema: z.string().regex(/^[a-z]{2,3}(, ?[a-z]{2,3})*$/i, { error: 'languages such as en, de' }),
    default: 'en',
    doc: 'Languages in which you answer reports, for the same file.',
  },
  TERMS_URL: {
    schema: httpsUrlOrNone,
    default: '',
    doc: 'URL of your terms of service. With it, `/terms` leads there, and every page has a link.',
  },
  PRIVACY_URL: {
    schema: httpsUrlOrNone,
    default: '',
    doc: 'URL of your privacy policy, for `/privacy`.',
  },
  IMPRINT_URL: {
    schema: httpsUrlOrNone,
    default: '',
    doc: 'URL of your imprint, for `/imprint`.',
  },
  MAIL: {
    schema: z.enum(['none', 'binding', 'http', 'outbox'], { error: 'none, binding, http or outbox' }),
    default: 'none',
    doc: 'How mail is sent: the `send_email` binding `MAIL_SENDER`, `http` to `MAIL_URL`, an `outbox` (development only), or not at all.',
  },
  MAIL_FROM: {
    schema: z.string(),
    default: '',
    doc: 'Sender of mails, such as `Spool <hello@spool.example.com>`.',
  },
  MAIL_URL: {
    schema: z.union([z.literal(''), httpUrl], {
      error: 'empty, or an http or https URL',
    }),
    default: '',
    doc: 'URL of a mail provider that accepts `{from, to, subject, text}`; `http://` in development only.',
  },
  MAIL_TOKEN: {
    schema: z.string(),
    default: '',
    secret: true,
    doc: 'Secret. Bearer token for `MAIL_URL`.',
  },
  GITHUB_CLIENT_ID: {
    schema: z.string(),
    default: '',
    secret: true,
    doc: 'Secret. Client id of a GitHub OAuth app; with the next one, people can sign in with GitHub.',
  },
  GITHUB_CLIENT_SECRET: {
    schema: z.string(),
    default: '',
    secret: true,
    doc: 'Secret. Client secret of the same app.',
  },
  GITHUB_URL: {
    schema: origin,
    default: 'https://github.com',
    doc: 'Origin of GitHub, or of a GitHub Enterprise Server.',
  },
  GITHUB_API_URL: {
    schema: httpUrl,
    default: 'https://api.github.com',
    doc: 'URL of its API; `https://<host>/api/v3` for a GitHub Enterprise Server.',
  },
  BILLING: {
    schema: z.enum(['none', 'stripe'], { error: 'none or stripe' }),
    default: 'none',
    doc: 'How accounts pay: by `stripe`, or not at all; then the operator sets plans.',
  },
  STRIPE_SECRET_KEY: {
    schema: z.string().regex(/^$|^[sr]k_\w{16,}$/, { error: 'empty, or a key that begins with sk_ or rk_' }),
    default: '',
    secret: true,
    doc: 'Secret. Key of the Stripe account, best a restricted one. Only with `BILLING=stripe`.',
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z.string().regex(/^$|^whsec_\S{16,}$/, { error: 'empty, or a secret that begins with whsec_' }),
    default: '',
    secret: true,
    doc: 'Secret. Verifies the events that Stripe sends to `<PUBLIC_URL>/internal/stripe`.',
  },
  STRIPE_API_URL: {
    schema: origin,
    default: 'https://api.stripe.com',
    doc: 'Origin of the Stripe API; another one, such as the stand-in of `npm start`, in development only.',
  },
  GRACE_DAYS: {
    schema: integer(0, 60),
    default: '7',
    doc: 'Days after a failed renewal during which a subscription stays active, 0 to 60.',
  },
  S3_ENDPOINT: {
    schema: z.string(),
    default: '',
    doc: 'URL of the S3 API of the bucket, to which callers send uploads. Passed to containers, which do not start without it.',
  },
  S3_BUCKET: {
    schema: z.string(),
    default: 'spool-files',
    doc: 'Name of the bucket, for uploads and containers.',
  },
  S3_ACCESS_KEY_ID: {
    schema: z.string(),
    default: '',
    secret: true,
    doc: 'Secret. Id of an R2 access key. It signs the URLs of uploads, and containers write with it.',
  },
  S3_SECRET_ACCESS_KEY: {
    schema: z.string(),
    default: '',
    secret: true,
    doc: 'Secret. The secret of that access key. Without both, the service accepts no uploads.',
  },
  SPEECH_API_URL: {
    schema: z.union([z.literal(''), httpUrl], { error: 'empty, or an http or https URL' }),
    default: '',
    doc: 'URL of an OpenAI-compatible speech API that you offer to every caller. Passed to containers, with the four settings below; a fleet has its own.',
  },
  SPEECH_API_KEY: {
    schema: z.string(),
    default: '',
    secret: true,
    doc: 'Secret. Its key; empty if it needs none.',
  },
  SPEECH_API_TRANSCRIPTION_MODEL: {
    schema: z.string(),
    default: '',
    doc: 'Its model for captions; empty to not use it for captions.',
  },
  SPEECH_API_SPEECH_MODEL: {
    schema: z.string(),
    default: '',
    doc: 'Its model for `/redub_tts`; empty to not use it for speech.',
  },
  SPEECH_API_VOICE: {
    schema: z.string().min(1, { error: 'a name' }),
    default: 'alloy',
    doc: 'Its voice for lines that name none.',
  },
} as const satisfies Record<string, Setting>;

export type Config = { readonly [K in keyof typeof settings]: z.output<(typeof settings)[K]['schema']> };

const parsed = new WeakMap<object, Config>();

/** Parses the variables once per isolate. Throws an error that names the first missing or invalid variable. */
export function readConfig(env: object): Config {
  const known = parsed.get(env);
  if (known) return known;
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(settings)) {
    const value = Reflect.get(env, name) ?? setting.default;
    const result = setting.schema.safeParse(value);
    if (!result.success)
      throw new Error(settingProblem(name, value, setting, result.error.issues[0]?.message ?? ''));
    config[name] = result.data;
  }
  const checked = config as Config;
  if (checked.SPOOL_ENV === 'production' && checked.SPOOL_DEV_ORIGINS.length > 0) {
    throw new Error('SPOOL_DEV_ORIGINS: must not be set unless SPOOL_ENV is development');
  }
  if (checked.SPOOL_ENV === 'production' && !checked.WEBHOOK_DNS_URL.startsWith('https:')) {
    throw new Error('WEBHOOK_DNS_URL: must be an https URL unless SPOOL_ENV is development');
  }
  const fault = speechApiFault(
    checked.SPEECH_API_URL,
    checked.SPEECH_API_TRANSCRIPTION_MODEL,
    checked.SPEECH_API_SPEECH_MODEL,
  );
  if (fault !== null) throw new Error(fault);
  checkMail(checked);
  checkBilling(checked);
  parsed.set(env, checked);
  return checked;
}

function checkMail({ SPOOL_ENV, MAIL, MAIL_FROM, MAIL_URL, MAIL_TOKEN }: Config): void {
  if (SPOOL_ENV === 'production' && MAIL === 'outbox') {
    throw new Error(
      'MAIL: must not be outbox unless SPOOL_ENV is development, because every visitor can read it',
    );
  }
  if (MAIL === 'binding' || MAIL === 'http') {
    if (MAIL_FROM === '') throw new Error(`MAIL_FROM: must be set with MAIL=${MAIL}`);
  }
  if (MAIL !== 'http') return;
  if (MAIL_URL === '' || MAIL_TOKEN === '')
    throw new Error('MAIL_URL and MAIL_TOKEN: must be set with MAIL=http');
  if (SPOOL_ENV === 'production' && !MAIL_URL.startsWith('https:')) {
    throw new Error('MAIL_URL: must be an https URL unless SPOOL_ENV is development');
  }
}

function checkBilling(config: Config): void {
  const { SPOOL_ENV, BILLING, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_URL } = config;
  if (BILLING === 'stripe' && (STRIPE_SECRET_KEY === '' || STRIPE_WEBHOOK_SECRET === '')) {
    throw new Error('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: must be set with BILLING=stripe');
  }
  if (SPOOL_ENV === 'production' && STRIPE_API_URL !== settings.STRIPE_API_URL.default) {
    throw new Error('STRIPE_API_URL: must be the default unless SPOOL_ENV is development');
  }
}
