/**
 * Whose fault an error is decides its status, whether it is tried again and whether it wakes anybody:
 * the request's or its owner's (`caller`), the media at the URL (`source`), or ours (`service`).
 */
type Fault = 'caller' | 'source' | 'service';

interface ErrorEntry {
  /** HTTP status of an answer with this code; null where the code only ever stands in a failed task. */
  status: number | null;
  fault: Fault;
  /** Whether sending the same request again, unchanged, can succeed. */
  retryable: boolean;
  title: string;
  /** What to do about it. */
  hint: string;
}

/** Every error the service can give, in a response or in a failed task. */
export const errors = {
  invalid_json: caller(400, 'The body is not valid JSON', 'Send one JSON object.'),
  missing_api_key: caller(401, 'No API key', 'Send your key in the X-API-Key header.'),
  invalid_api_key: caller(
    401,
    'The API key is not valid',
    'Check the key; make a new one if it was revoked.',
  ),
  subscription_required: caller(
    402,
    'The subscription is not active',
    'Renew the subscription of this account.',
  ),
  plan_feature_required: caller(
    403,
    'The plan does not include this operation',
    'Upgrade to a plan that does.',
  ),
  signature_invalid: caller(403, 'The download link is not valid', 'Fetch the task for a fresh link.'),
  origin_forbidden: caller(
    403,
    'Browser pages of other sites may not call this',
    'Call it from a server or an agent.',
  ),
  not_found: caller(404, 'There is nothing at this address', 'See /openapi.json for every path.'),
  task_not_found: caller(404, 'No such task', 'Check the id; a deleted task cannot be read.'),
  file_not_found: caller(404, 'The task has no such file', 'Use a role from output.files.'),
  webhook_endpoint_not_found: caller(404, 'No such webhook endpoint', 'See GET /webhooks/endpoints.'),
  webhook_delivery_not_found: caller(404, 'No such webhook delivery', 'See GET /webhooks/deliveries.'),
  method_not_allowed: caller(
    405,
    'This path does not take this method',
    'Use a method from the Allow header.',
  ),
  task_not_completed: caller(409, 'The task is not completed yet', 'Poll status_url until it is.', true),
  task_failed: caller(409, 'The task failed and has no file', 'Read the error of the task.'),
  stale_attempt: caller(409, 'Another attempt at this task has taken over', 'Stop this attempt.'),
  idempotency_in_flight: caller(
    409,
    'The first request with this Idempotency-Key is not answered yet',
    'Send it again after Retry-After seconds.',
    true,
  ),
  output_expired: caller(410, 'The file is past its retention time', 'Create the task again.'),
  request_too_large: caller(413, 'The request body is too large', 'Send at most 256 KB; media goes by URL.'),
  range_not_satisfiable: caller(416, 'The file does not have this range', 'See Content-Range for its size.'),
  unsupported_media_type: caller(415, 'The body is not JSON', 'Send Content-Type: application/json.'),
  validation_failed: caller(422, 'The request is not valid', 'Mend the fields named in errors.'),
  idempotency_conflict: caller(
    422,
    'The Idempotency-Key stands for another request',
    'Use a new key for a new request.',
  ),
  source_is_page: caller(
    422,
    'A source URL is a page, not a file',
    'Give a link to the file itself; the error says how to get one.',
  ),
  source_not_https: caller(422, 'A source URL is not HTTPS', 'Give a public https:// URL.'),
  rate_limited: caller(429, 'Too many requests', 'Wait for the seconds in Retry-After.', true),
  queue_full: caller(429, 'The waiting line is full', 'Wait until some of your tasks are done.', true),
  internal_error: service(
    500,
    'Something went wrong on our side',
    'Try again; quote the request_id if it stays.',
  ),
  unavailable: service(503, 'The service is not available right now', 'Try again after Retry-After seconds.'),

  source_forbidden: source(422, 'The source address is not allowed', 'Give a public address.'),
  source_unreachable: source(null, 'The source could not be reached', 'Check that the URL answers.', true),
  source_http_error: source(
    null,
    'The source answered with an error',
    'Check that the URL is public; a status 4xx other than 408, 425 and 429 stays, and is not retryable.',
    true,
  ),
  source_too_large: source(
    null,
    'The source is larger than the plan allows',
    'Use a smaller file or plan up.',
  ),
  source_too_long: source(
    null,
    'The source is longer than the plan allows',
    'Use a shorter file or part, a smaller picture or a lower frame rate, or upgrade the plan.',
  ),
  source_too_slow: source(null, 'The source is too slow', 'Serve the file from a faster host.', true),
  source_not_media: source(
    null,
    'The source is not media we read',
    'Give a video, audio or image file; /docs lists the formats.',
  ),
  source_truncated: source(null, 'The source ended early', 'Check that the file is complete.', true),
  source_damaged: source(
    null,
    'The source is damaged',
    'Check that it plays from beginning to end; export it anew.',
  ),
  source_changed: source(
    null,
    'The source changed while it was read',
    'Send it again once the file at the URL stays the same.',
  ),
  source_gone: source(
    null,
    'The task whose output is the source was deleted or has expired',
    'Create that task again and name the new one.',
  ),
  source_no_video: source(null, 'The source has no video', 'Give a source with a picture.'),
  source_not_stereo: source(null, 'The source is not stereo', 'Give a source whose two channels differ.'),
  source_no_audio: source(null, 'The source has no sound', 'Give a source with sound.'),

  time_out_of_range: taskCaller(
    'A time lies outside the source',
    'Use times within the duration of the source.',
  ),
  crop_out_of_bounds: taskCaller(
    'The rectangle lies outside the picture',
    'Keep it within the displayed size.',
  ),
  no_speech_found: taskCaller('No speech was found', 'Give a source with clear speech.'),
  captions_invalid: taskCaller(
    'The captions cannot be read',
    'Give a text, SubRip, WebVTT, ASS, or words with times as JSON.',
  ),
  all_silent: taskCaller('Everything is silent', 'Lower threshold_db.'),
  clip_too_short: taskCaller('A clip is too short', 'Use a longer clip or a shorter transition.'),
  output_too_large: taskCaller('The result is too large', 'Ask for a smaller picture or a lower quality.'),
  output_too_small: taskCaller(
    'The picture of the result is too small',
    'Use a larger source, rectangle or size, or another codec.',
  ),
  engine_unavailable: taskCaller('No engine here can do this', 'See /capabilities for the engines present.'),
  engine_failed: service(null, 'The engine failed', 'Try again, or choose another engine.'),
  provider_rejected_key: taskCaller('The provider refused your key', 'Check the key of the provider.'),

  render_failed: service(null, 'The render failed', 'Try again; quote the task id if it stays.'),
  output_invalid: service(
    null,
    'The result did not pass our checks',
    'Try again; quote the task id if it stays.',
  ),
  timed_out: service(
    null,
    'The task took longer than the plan allows',
    'Use a shorter source or plan up.',
    false,
  ),
  out_of_memory: service(null, 'The task ran out of memory', 'Use a smaller source.', false),
  out_of_disk: service(
    null,
    'The machines that worked on the task ran out of disk space',
    'Try again later; a smaller source or result needs less space.',
  ),
  worker_lost: service(
    null,
    'The machines doing the work were lost',
    'Send it once more. If it ends the same way, the source may be what stops the machines: re-encode it, or use a shorter part.',
  ),
  storage_failed: service(null, 'The result could not be stored', 'Try again.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

/** The codes that a response can carry. */
export type ResponseCode = {
  [C in ErrorCode]: (typeof errors)[C]['status'] extends number ? C : never;
}[ErrorCode];

export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

export function errorEntry(code: ErrorCode): ErrorEntry {
  return errors[code];
}

function caller<S extends number>(status: S, title: string, hint: string, retryable = false) {
  return { status, fault: 'caller', retryable, title, hint } as const;
}

function taskCaller(title: string, hint: string) {
  return { status: null, fault: 'caller', retryable: false, title, hint } as const;
}

function source<S extends number | null>(status: S, title: string, hint: string, retryable = false) {
  return { status, fault: 'source', retryable, title, hint } as const;
}

function service<S extends number | null>(status: S, title: string, hint: string, retryable = true) {
  return { status, fault: 'service', retryable, title, hint } as const;
}
