import { z } from 'zod';
import type { ErrorCode } from '../api/errors.ts';
import type { Feature, Plan } from '../api/plans.ts';
import type { ProviderId } from '../api/provider-keys.ts';
import { webhookUrl } from '../api/webhook-url.ts';

export type Group = 'edit' | 'speech' | 'create' | 'frames' | 'inspect';

export interface SourceRef {
  /** JSON pointer of the field in the request. */
  pointer: string;
  url: string;
  /** What is wanted of it where that is no media; those come after all media. */
  kind?: 'text' | 'time_map';
}

/** A number in a request that the plan bounds. */
export interface PlanBound {
  /** JSON pointer of the field that is to be mended. */
  pointer: string;
  count: number;
  /** The limit of the plan that it must not exceed. */
  limit: { [K in keyof Plan]: Plan[K] extends number ? K : never }[keyof Plan];
  /** What is counted, in the plural. */
  what: string;
}

/** The fields that every operation takes beside its own. */
export const commonFields = {
  callback_url: webhookUrl(
    'Public https:// URL that is sent the event of the end of this task, signed after Standard Webhooks.',
  ).optional(),
  metadata: z
    .record(z.string().min(1).max(40), z.string().max(512))
    .refine((value) => Object.keys(value).length <= 16, { error: 'At most 16 entries' })
    .default({})
    .meta({
      description: 'Up to 16 string values of yours, echoed back in the task and in lists.',
      maxProperties: 16,
    }),
  dry_run: z.boolean().default(false).meta({
    description:
      'Check the request, look at the sources and complete with `plan`: what would be made of them. Nothing is made.',
  }),
  output_name: z.string().min(1).max(200).optional().meta({
    description:
      'File name of the download, made safe for every file system. The result has its own extension: a known one at the end of the name, such as `.mp4`, is replaced.',
  }),
};

type Fields = z.core.$ZodLooseShape;
type WithCommon<F extends Fields> = F & typeof commonFields;

interface Declaration<F extends Fields, D extends z.ZodObject> {
  /** The path of its endpoint; `/frame/last` is operation `frame_last`. */
  path: `/${string}`;
  group: Group;
  title: string;
  /** One sentence, shown wherever operations are listed. */
  summary: string;
  /** A paragraph for the reference page and for language models. */
  description: string;
  feature: Feature;
  fields: F;
  /** Rules between fields. */
  refine?: (input: z.output<z.ZodObject<WithCommon<F>>>, context: z.RefinementCtx) => void;
  /**
   * Rules of what stands in a text, which has to be parsed whole for them. The Worker applies them to what a caller sends; a
   * transcoder, which reads the text anyway, off its event loop, does not.
   */
  checkText?: (input: z.output<z.ZodObject<WithCommon<F>>>, context: z.RefinementCtx) => void;
  /** The shape of `output.data`. */
  data: D;
  /** The sources that this request makes the service read: URLs, and outputs of other tasks as `task:<id>`. */
  sources: (input: z.output<z.ZodObject<WithCommon<F>>>) => SourceRef[];
  /** What of this request the plan bounds beyond sizes and times. */
  bound?: (input: z.output<z.ZodObject<WithCommon<F>>>) => PlanBound;
  /** The engine that wants a key of the caller's, which comes in the header that providerKeys names. */
  keyOf?: ProviderId;
  /** What can end the task beside the errors that any task can end in. */
  errors: readonly ErrorCode[];
  /** Requests that parse; the first is the one shown first. */
  examples: readonly { title: string; input: z.input<z.ZodObject<WithCommon<F>>> }[];
  /** What a task of the first example ends in, for the documents. */
  exampleResult: {
    file_name: string;
    media_type: string;
    duration: number | null;
    width: number | null;
    height: number | null;
    fps: number | null;
    data: z.output<D>;
    time_map?: { source: number; in: [number, number]; out: [number, number] }[];
  };
}

/** What any task can end in: whatever it fetches can fail, and so can we. */
export const commonTaskErrors = [
  'source_forbidden',
  'source_unreachable',
  'source_http_error',
  'source_too_large',
  'source_too_long',
  'source_too_slow',
  'source_not_media',
  'source_truncated',
  'source_damaged',
  'source_changed',
  'source_gone',
  'output_too_large',
  'output_too_small',
  'render_failed',
  'output_invalid',
  'timed_out',
  'out_of_memory',
  'worker_lost',
  'storage_failed',
  'internal_error',
] as const satisfies readonly ErrorCode[];

/** What a POST to an operation can be answered with beside 202. */
export const submissionErrors = [
  'invalid_json',
  'missing_api_key',
  'invalid_api_key',
  'subscription_required',
  'plan_feature_required',
  'idempotency_in_flight',
  'request_too_large',
  'unsupported_media_type',
  'validation_failed',
  'idempotency_conflict',
  'source_is_page',
  'source_not_https',
  'source_forbidden',
  'rate_limited',
  'queue_full',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/**
 * Declares one operation: the only place that knows it. `input` parses what a caller sends, `received` what the Worker has
 * parsed before. Throws at load where the declaration is not sound.
 */
export function operation<const N extends string, F extends Fields, D extends z.ZodObject>(
  name: N,
  declaration: Declaration<F, D>,
) {
  const { fields, refine, checkText, data, examples, exampleResult, path } = declaration;
  const shape = z.strictObject({ ...fields, ...commonFields } as WithCommon<F>);
  const refined = (...rules: (typeof refine)[]) =>
    shape.superRefine((value, context) => {
      for (const rule of rules) rule?.(value as z.output<z.ZodObject<WithCommon<F>>>, context);
    });
  const input = refined(refine, checkText);
  if (path !== `/${name.replaceAll('_', '/')}` && path !== `/${name}`) {
    throw new Error(`operation ${name}: path ${path} must be the name with "/" or "_" kept`);
  }
  for (const example of examples) {
    const parsed = input.safeParse(example.input);
    if (!parsed.success)
      throw new Error(`operation ${name}: example "${example.title}": ${parsed.error.message}`);
  }
  if (examples.length === 0) throw new Error(`operation ${name}: give at least one example`);
  const result = data.safeParse(exampleResult.data);
  if (!result.success) throw new Error(`operation ${name}: exampleResult.data: ${result.error.message}`);
  return { ...declaration, name, input, received: refined(refine) };
}
