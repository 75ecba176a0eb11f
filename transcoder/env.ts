import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseDevOrigins } from '../guard/dev-origins.ts';
import { settingProblem } from '../guard/setting-problem.ts';
import { speechApiFault } from '../guard/speech-api-fault.ts';
import { located } from './ffmpeg/located.mjs';
import { OLDEST_FFMPEG } from './model/ffmpeg-version.mjs';

interface Variable<S extends z.ZodType> {
  env: string;
  /** Each error completes "must be …". */
  schema: S;
  /** Used if the variable is missing or empty; undefined if it is required. */
  default: string | undefined;
  doc: string;
  /** The value is never shown. */
  secret: boolean;
}

function variable<S extends z.ZodType>(
  env: string,
  schema: S,
  fallback: string | undefined,
  doc: string,
  hidden = false,
): Variable<S> {
  return { env, schema, default: fallback, doc, secret: hidden };
}

/** A required variable whose value is never shown. */
function secret<S extends z.ZodType>(env: string, schema: S, doc: string): Variable<S> {
  return { env, schema, default: undefined, doc: `Secret. ${doc}`, secret: true };
}

function integer(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, { error })
    .transform(Number)
    .pipe(z.number().min(min, { error }).max(max, { error }));
}

function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `one of ${values.join(', ')}` });
}

const text = z.string().min(1);
/** Absolute: the processes that read there have other working directories. */
const directory = text.transform((path) => resolve(path));
const httpUrl = z.url({ protocol: /^https?$/, error: 'an http or https URL' });

const origins = z.string().transform((list, context) => {
  const parsed = parseDevOrigins(list);
  if (parsed.wrong === null) return parsed.origins;
  context.addIssue({
    code: 'custom',
    message: `loopback origins such as http://127.0.0.1:9000, separated by commas (${parsed.wrong})`,
  });
  return z.NEVER;
});

/** Every setting of the transcoder. The table in README.md is generated from this. */
export const variables = {
  port: variable(
    'PORT',
    integer(0, 65535),
    '8788',
    'Port to listen on, 0 to 65535; 0 takes a free one. The image sets `8080`.',
  ),
  host: variable('HOST', z.string(), '127.0.0.1', 'Address to listen on. The image sets `0.0.0.0`.'),
  slots: variable('SLOTS', integer(1, 64), '1', 'Number of tasks that run at the same time, 1 to 64.'),
  line: variable(
    'LINE',
    integer(0, 64),
    '2',
    'Number of tasks that may wait for a slot, 0 to 64. Further tasks are refused with 503, and the Worker sends them again.',
  ),
  memoryMb: variable(
    'MEMORY_MB',
    integer(0, 100_000_000),
    '0',
    'Memory for all tasks together, in megabytes; 0 uses the memory of the container or machine.',
  ),
  secret: secret(
    'TRANSCODER_SECRET',
    z.string().min(32, { error: 'at least 32 characters' }),
    'Checks the signatures of the Worker, which must have the same; at least 32 characters.',
  ),
  s3Endpoint: variable(
    'S3_ENDPOINT',
    httpUrl,
    undefined,
    'URL of the S3 API of the object store, such as `https://<account>.r2.cloudflarestorage.com`.',
  ),
  s3Bucket: variable('S3_BUCKET', text, undefined, 'Name of the bucket for results.'),
  s3Region: variable('S3_REGION', text, 'auto', 'Region of the bucket; `auto` for R2.'),
  s3AccessKeyId: secret('S3_ACCESS_KEY_ID', text, 'Id of an access key that may write to the bucket.'),
  s3SecretAccessKey: secret('S3_SECRET_ACCESS_KEY', text, 'The secret of that access key.'),
  storePatience: variable(
    'STORE_PATIENCE_SECONDS',
    integer(0, 3600),
    '120',
    'How long an upload is retried while the object store does not answer, in seconds, 0 to 3600. Then the task is retried on another machine.',
  ),
  workDir: variable(
    'WORK_DIR',
    directory,
    tmpdir(),
    'Directory for the files of running tasks. It must be writable, and not shared between containers; files of earlier runs are removed from it at start.',
  ),
  ffmpeg: variable(
    'FFMPEG',
    text,
    'ffmpeg',
    `Path of the ffmpeg program, ${OLDEST_FFMPEG} or newer, or its name in \`PATH\`.`,
  ),
  ffprobe: variable(
    'FFPROBE',
    text,
    'ffprobe',
    `Path of the ffprobe program, ${OLDEST_FFMPEG} or newer, or its name in \`PATH\`.`,
  ),
  sandbox: variable(
    'SANDBOX',
    oneOf(['auto', 'bwrap', 'unshare', 'none']),
    'auto',
    'Isolation of ffmpeg and libav: `bwrap`, `unshare`, `none`, or `auto` for the strongest that works. If the one you name does not work, the transcoder does not start.',
  ),
  modelsDir: variable(
    'MODELS_DIR',
    directory,
    '/var/lib/spool/models',
    'Directory in which the transcoder looks for models; those that are complete when it starts are available. `npm run models -- fetch` writes to `MODELS_DIR` too, or to `.spool/models` if that is not set.',
  ),
  elevenLabsUrl: variable(
    'ELEVENLABS_URL',
    httpUrl.transform((url) => url.replace(/\/$/, '')),
    'https://api.elevenlabs.io',
    'URL of the ElevenLabs API, which is called with the keys that callers send.',
  ),
  speechApiUrl: variable(
    'SPEECH_API_URL',
    z.union([z.literal(''), httpUrl], { error: 'empty, or an http or https URL' }),
    '',
    'URL of an OpenAI-compatible speech API that you offer to every caller, such as `http://10.0.0.5:8000` (Speaches, vLLM) or `https://api.groq.com/openai`. It needs one of the two models below. Callers can send their own instead.',
  ),
  speechApiKey: variable(
    'SPEECH_API_KEY',
    z.string(),
    '',
    'Secret. Its key, sent as a bearer token; empty if it needs none.',
    true,
  ),
  speechApiTranscription: variable(
    'SPEECH_API_TRANSCRIPTION_MODEL',
    z.string(),
    '',
    'Its model for captions, such as `whisper-1`; empty to not use it for captions.',
  ),
  speechApiSpeech: variable(
    'SPEECH_API_SPEECH_MODEL',
    z.string(),
    '',
    'Its model for `/redub_tts`, such as `tts-1`; empty to not use it for speech.',
  ),
  speechApiVoice: variable('SPEECH_API_VOICE', text, 'alloy', 'Its voice for lines that name none.'),
  environment: variable(
    'SPOOL_ENV',
    oneOf(['production', 'development']),
    'production',
    '`production` or `development`, which allows `SPOOL_DEV_ORIGINS` and `SPOOL_DEV_DNS`.',
  ),
  devOrigins: variable(
    'SPOOL_DEV_ORIGINS',
    origins,
    '',
    'Loopback origins allowed as sources, separated by commas and matched exactly. With it, production does not start.',
  ),
  devDns: variable(
    'SPOOL_DEV_DNS',
    z.string().regex(/^$|^127\.0\.0\.1:\d{1,5}$/, { error: '127.0.0.1 and a port, such as 127.0.0.1:5353' }),
    '',
    'DNS server that resolves the hosts of sources, as `127.0.0.1:port`. With it, production does not start.',
  ),
} as const satisfies Record<string, Variable<z.ZodType>>;

export type Config = { [K in keyof typeof variables]: z.output<(typeof variables)[K]['schema']> };

/** Parses all variables. Throws an error that names each missing or invalid one. */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(variables)) {
    const value = env[entry.env] || entry.default;
    const parsed = entry.schema.safeParse(value);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(settingProblem(entry.env, value, entry, parsed.error.issues[0]?.message ?? ''));
  }
  const config = values as Config;
  if (problems.length === 0 && config.environment === 'production') {
    for (const { env: name } of [variables.devOrigins, variables.devDns]) {
      if (env[name]) problems.push(`${name}: must not be set unless SPOOL_ENV is development`);
    }
  }
  if (problems.length === 0) {
    const { speechApiUrl, speechApiTranscription, speechApiSpeech } = config;
    const fault = speechApiFault(speechApiUrl, speechApiTranscription, speechApiSpeech);
    if (fault !== null) problems.push(fault);
  }
  if (problems.length > 0) throw new Error(`transcoder settings:\n  ${problems.join('\n  ')}`);
  const { ffmpeg, ffprobe } = config;
  return { ...config, ffmpeg: located(ffmpeg, env.PATH), ffprobe: located(ffprobe, env.PATH) };
}

export function readConfig(): Config {
  return parseConfig(process.env);
}
