import { tmpdir } from 'node:os';
import { z } from 'zod';
import { parseDevOrigins } from '../guard/dev-origins.ts';

interface Variable<S extends z.ZodType> {
  env: string;
  schema: S;
  /** Used if the variable is missing or empty; undefined if it is required. */
  default: string | undefined;
  doc: string;
}

function variable<S extends z.ZodType>(
  env: string,
  schema: S,
  fallback: string | undefined,
  doc: string,
): Variable<S> {
  return { env, schema, default: fallback, doc };
}

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'expected a whole number' })
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const origins = z.string().transform((text, context) => {
  const parsed = parseDevOrigins(text);
  if (parsed.wrong === null) return parsed.origins;
  context.addIssue({ code: 'custom', message: parsed.wrong });
  return z.NEVER;
});

/** Every setting of the transcoder. The table in README.md is generated from this. */
export const variables = {
  port: variable('PORT', integer(0, 65535), '8788', 'Port to listen on; 0 takes a free one.'),
  host: variable('HOST', z.string(), '127.0.0.1', 'Address to listen on; the image sets 0.0.0.0.'),
  slots: variable('SLOTS', integer(1, 64), '1', 'Tasks that run at the same time.'),
  line: variable('LINE', integer(0, 64), '2', 'Tasks that may wait for a slot; beyond it the answer is 503.'),
  memoryMb: variable(
    'MEMORY_MB',
    integer(0, 100_000_000),
    '0',
    'Memory of all tasks together, in megabytes; 0 takes that of the container or the machine.',
  ),
  secret: variable(
    'TRANSCODER_SECRET',
    z.string().min(32),
    undefined,
    'Signs what the Worker sends; at least 32 characters, the same as in the Worker.',
  ),
  s3Endpoint: variable(
    'S3_ENDPOINT',
    z.url({ protocol: /^https?$/ }),
    undefined,
    'S3 API of the object store.',
  ),
  s3Bucket: variable('S3_BUCKET', z.string().min(1), undefined, 'Bucket for results.'),
  s3Region: variable('S3_REGION', z.string().min(1), 'auto', 'Region; `auto` for R2.'),
  s3AccessKeyId: variable(
    'S3_ACCESS_KEY_ID',
    z.string().min(1),
    undefined,
    'Key that may write to the bucket.',
  ),
  s3SecretAccessKey: variable('S3_SECRET_ACCESS_KEY', z.string().min(1), undefined, 'Its secret.'),
  storePatience: variable(
    'STORE_PATIENCE_SECONDS',
    integer(0, 3600),
    '120',
    'For how long a result is held and sent again while the object store does not answer; then another machine tries.',
  ),
  workDir: variable(
    'WORK_DIR',
    z.string().min(1),
    tmpdir(),
    'Where the directories of tasks are; empty ones wait in the temporary directory if it is on the same file system.',
  ),
  ffmpeg: variable('FFMPEG', z.string().min(1), 'ffmpeg', 'The ffmpeg program.'),
  ffprobe: variable('FFPROBE', z.string().min(1), 'ffprobe', 'The ffprobe program.'),
  sandbox: variable(
    'SANDBOX',
    z.enum(['auto', 'bwrap', 'unshare', 'none']),
    'auto',
    'What ffmpeg and libav are kept in: the strongest there is, or no start without the one named.',
  ),
  modelsDir: variable(
    'MODELS_DIR',
    z.string().min(1),
    '/var/lib/spool/models',
    'Where `npm run models -- fetch` has put models; those that are complete at start are offered.',
  ),
  elevenLabsUrl: variable(
    'ELEVENLABS_URL',
    z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, '')),
    'https://api.elevenlabs.io',
    'Origin of the provider that callers bring their own keys of.',
  ),
  environment: variable(
    'SPOOL_ENV',
    z.enum(['production', 'development']),
    'production',
    '`development` allows SPOOL_DEV_ORIGINS and SPOOL_DEV_DNS.',
  ),
  devOrigins: variable(
    'SPOOL_DEV_ORIGINS',
    origins,
    '',
    'Exact loopback origins, comma-separated, that sources may come from; refused in production.',
  ),
  devDns: variable(
    'SPOOL_DEV_DNS',
    z.union([
      z.literal(''),
      z.string().regex(/^127\.0\.0\.1:\d{1,5}$/, { error: 'expected 127.0.0.1:port' }),
    ]),
    '',
    'DNS server on loopback, `127.0.0.1:port`, that finds the hosts of sources; refused in production.',
  ),
} as const satisfies Record<string, Variable<z.ZodType>>;

export type Config = { [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> };

/** Parses all variables. Throws an error that names each missing or invalid one. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(variables)) {
    const text = env[entry.env] || entry.default;
    if (text === undefined) {
      problems.push(`${entry.env} is not set: ${entry.doc}`);
      continue;
    }
    const parsed = entry.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${entry.env}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  const config = values as Config;
  if (problems.length === 0 && config.environment === 'production') {
    for (const { env: name } of [variables.devOrigins, variables.devDns]) {
      if (env[name]) problems.push(`${name} is set: it is for SPOOL_ENV=development only`);
    }
  }
  if (problems.length > 0) throw new Error(`transcoder settings:\n  ${problems.join('\n  ')}`);
  return config;
}

export function readConfig(): Config {
  return parseConfig(process.env);
}
