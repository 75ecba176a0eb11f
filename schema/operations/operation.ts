import { z } from 'zod';
import type { ErrorCode } from '../api/errors.ts';
import type { Feature, Plan } from '../api/plans.ts';
import type { ProviderId } from '../api/provider-keys.ts';
import { webhookUrl } from '../api/webhook-url.ts';
import type { EngineId } from '../media/engines.ts';

/** The parts of the reference and of the playground, in the order in which they are shown. */
export const groupTitles = {
  video: 'Video processing',
  photo: 'Photo animation',
  audio: 'Audio and dubbing',
  captions: 'AI captions',
  visual: 'Visualizations',
  frames: 'Frames and inspection',
} as const;

export type Group = keyof typeof groupTitles;

export interface SourceRef {
  /** JSON pointer to the field in the request. */
  pointer: string;
  url: string;
  /** Set if the source is not media; such sources come after all media sources. */
  kind?: 'text' | 'time_map' | 'font';
}

/** A number in the request that is limited by the plan. */
export interface PlanBound {
  /** JSON pointer to the field to fix. */
  pointer: string;
  count: number;
  /** Name of the plan limit. */
  limit: { [K in keyof Plan]: Plan[K] extends number ? K : never }[keyof Plan];
  /** What is counted, as a plural noun. */
  what: string;
}

/** Engines of which one is needed. */
export interface EngineNeed {
  /** JSON pointer to the field that selects the engine. */
  pointer: `/${string}`;
  engines: readonly EngineId[];
}

/** Fields of every operation. */
export const commonFields = {
  callback_url: webhookUrl(
    'Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks.',
  ).optional(),
  metadata: z
    .record(z.string().min(1).max(40), z.string().max(512))
    .refine((value) => Object.keys(value).length <= 16, {
      error: ({ input }) => `has ${Object.keys(Object(input)).length} entries; give at most 16.`,
    })
    .default({})
    .meta({
      description: 'Up to 16 string values of your own, returned with the task.',
      maxProperties: 16,
    }),
  dry_run: z.boolean().default(false).meta({
    description:
      'Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`.',
  }),
  output_name: z.string().min(1).max(200).optional().meta({
    description:
      'File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced.',
  }),
};

type Fields = z.core.$ZodLooseShape;
type WithCommon<F extends Fields> = F & typeof commonFields;

interface ToolDeclaration<F extends Fields> {
  /** `verb_noun`. */
  name: string;
  /** What the tool does and when to use it, which tool to use otherwise, and what it returns. */
  description: string;
  /** The fields that most calls need, with short texts. The tool accepts all others as well. */
  fields: { readonly [K in Extract<keyof F, string>]?: string };
}

interface Declaration<F extends Fields, D extends z.ZodObject> {
  /** Path of the endpoint; `/frame/last` is the operation `frame_last`. */
  path: `/${string}`;
  group: Group;
  title: string;
  /** One sentence for lists of operations. */
  summary: string;
  /** For people who look for it without knowing Spool: the heading of its page under `/tools`, and a sentence or two. */
  search: { title: string; lead: string };
  /** The MCP tool of the operation. */
  tool: ToolDeclaration<NoInfer<F>>;
  /** A paragraph for the reference and for language models. */
  description: string;
  /** How it does its work, and what its cost depends on. */
  work: string;
  feature: Feature;
  fields: F;
  /** Rules that concern several fields. */
  refine?: (input: z.output<z.ZodObject<WithCommon<F>>>, context: z.RefinementCtx) => void;
  /**
   * Rules that need a text to be parsed completely. Applied by the Worker only; the transcoder parses the text anyway, off its
   * event loop.
   */
  checkText?: (input: z.output<z.ZodObject<WithCommon<F>>>, context: z.RefinementCtx) => void;
  /** Schema of `output.data`. */
  data: D;
  /**
   * Texts in `data` that come from the media or from what is said in it, as JSON pointers in which `*` is every item. The maker of
   * the media chose them, so a language model must not take them for instructions.
   */
  untrusted?: readonly `/${string}`[];
  /** Sources to read: URLs, outputs of other tasks as `task:<id>`, and uploads as `upload:<id>`. */
  sources: (input: z.output<z.ZodObject<WithCommon<F>>>) => SourceRef[];
  /** The size of a request's JSON in bytes, where it may be larger than other requests. */
  mostBytes?: number;
  /** The input as it is kept, with the same meaning in fewer bytes. */
  kept?: (input: z.output<z.ZodObject<WithCommon<F>>>) => z.output<z.ZodObject<WithCommon<F>>>;
  /** A plan limit on this request, besides sizes and times. */
  bound?: (input: z.output<z.ZodObject<WithCommon<F>>>) => PlanBound;
  /** Engines, one of each need, that the request cannot do without as far as is known before its sources are read. */
  engines?: (input: z.output<z.ZodObject<WithCommon<F>>>) => readonly EngineNeed[];
  /** Provider whose key the caller may send, in the header named by providerKeyHeaders. */
  keyOf?: ProviderId;
  /** Whether the caller may send a speech API of their own, in the headers of speechApiHeaders. */
  speechApi?: boolean;
  /** Task errors besides `commonTaskErrors`. */
  errors: readonly ErrorCode[];
  /** Valid requests, in display order. */
  examples: readonly { title: string; input: z.input<z.ZodObject<WithCommon<F>>> }[];
  /** Result of the first example, for the documentation. */
  exampleResult: {
    file_name: string;
    /** Role of the main file. */
    role: string;
    media_type: string;
    duration: number | null;
    width: number | null;
    height: number | null;
    fps: number | null;
    data: z.output<D>;
    time_map?: { source: number; in: [number, number]; out: [number, number] }[];
  };
}

/** Errors that any task can end with. */
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
  'source_task_failed',
  'codec_unsupported',
  'request_too_complex',
  'output_too_large',
  'output_too_small',
  'render_failed',
  'output_invalid',
  'timed_out',
  'out_of_memory',
  'out_of_disk',
  'worker_lost',
  'storage_failed',
  'internal_error',
] as const satisfies readonly ErrorCode[];

/** Errors of a POST to an operation. */
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
  'engine_unavailable',
  'rate_limited',
  'queue_full',
  'internal_error',
  'unavailable',
] as const satisfies readonly ErrorCode[];

/**
 * Declares an operation. `input` parses a request; `received` parses it again in the transcoder. Throws at load if the
 * declaration is inconsistent.
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
