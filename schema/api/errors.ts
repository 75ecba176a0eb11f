/**
 * Who has to act: the sender of the request (`caller`), the host of the media (`source`) or the operator (`service`). Decides
 * the HTTP status, whether the task is retried and whether an alert fires.
 */
type Fault = 'caller' | 'source' | 'service';

interface ErrorEntry {
  /** HTTP status of a response with this code; null for codes that occur in failed tasks only. */
  status: number | null;
  fault: Fault;
  /** Whether the same request can succeed when it is sent again. */
  retryable: boolean;
  title: string;
  /** How to fix it. */
  hint: string;
}

/** Every error code, in a response or in a failed task. */
export const errors = {
  invalid_json: caller(400, 'The request body is not valid JSON', 'Send one JSON object as the body.'),
  missing_api_key: caller(401, 'The API key is missing', 'Send your key in the X-API-Key header.'),
  invalid_api_key: caller(
    401,
    'The API key is not valid',
    'Check that you copied the whole key and that it was not revoked.',
  ),
  subscription_required: caller(
    402,
    'The subscription is not active',
    'Renew the subscription of your account.',
  ),
  plan_feature_required: caller(
    403,
    'The plan does not include this operation',
    'Upgrade to a plan that includes it; GET /capabilities lists the plans.',
  ),
  signature_invalid: caller(
    403,
    'The download link is not valid',
    'Get the task again; it contains a new link.',
  ),
  origin_forbidden: caller(
    403,
    'Requests from browser pages are not allowed here',
    'Send the request from a server or an agent.',
  ),
  not_found: caller(404, 'Unknown path', 'Check the path; /openapi.json lists all of them.'),
  task_not_found: caller(
    404,
    'Task not found',
    'Check the id. The task may have been deleted or may belong to another account.',
  ),
  file_not_found: caller(404, 'File not found', 'Use a role listed in output.files of the task.'),
  upload_not_found: caller(
    404,
    'Upload not found',
    'Check the id. The upload may have been deleted or may belong to another account.',
  ),
  webhook_endpoint_not_found: caller(
    404,
    'Webhook endpoint not found',
    'Use an id from GET /webhooks/endpoints.',
  ),
  webhook_delivery_not_found: caller(
    404,
    'Webhook delivery not found',
    'Use an id from GET /webhooks/deliveries.',
  ),
  method_not_allowed: caller(405, 'Method not allowed', 'Use a method listed in the Allow header.'),
  task_not_completed: caller(
    409,
    'The task is not completed yet',
    'Poll status_url until the task has ended.',
    true,
  ),
  task_failed: caller(409, 'The task failed and has no files', 'Get the task and read its error.'),
  stale_attempt: caller(409, 'A newer attempt at this task is running', 'Stop this attempt.'),
  idempotency_in_flight: caller(
    409,
    'A request with this Idempotency-Key is still in progress',
    'Send the request again after the seconds in Retry-After.',
    true,
  ),
  upload_incomplete: caller(
    409,
    'The file has not been sent completely',
    'Send the file to url, or every part to its URL, then complete the upload.',
    true,
  ),
  upload_storage_full: caller(
    409,
    'The storage for uploads is full',
    'Delete uploads that you no longer need, wait until some have expired, or upgrade your plan.',
  ),
  output_expired: caller(410, 'The file has expired', 'Create the task again.'),
  upload_expired: caller(410, 'The upload has expired', 'Create a new upload and send the file again.'),
  request_too_large: caller(
    413,
    'The request body is too large',
    'Send at most 256 KB of JSON, or 4 MB to /timeline. Media is given by URL or as upload:<id>, see POST /uploads.',
  ),
  range_not_satisfiable: caller(
    416,
    'The range lies outside the file',
    'Check the file size in Content-Range.',
  ),
  unsupported_media_type: caller(415, 'The Content-Type is not JSON', 'Send Content-Type: application/json.'),
  validation_failed: caller(422, 'The request is not valid', 'Fix the fields listed in errors.'),
  idempotency_conflict: caller(
    422,
    'The Idempotency-Key was used for a different request',
    'Use a new key for each new request.',
  ),
  source_is_page: caller(
    422,
    'A source URL is a web page, not a media file',
    'Give a direct link to the file. The detail says how to get one.',
  ),
  source_not_https: caller(422, 'A source URL does not use HTTPS', 'Give a public https:// URL.'),
  upload_size_mismatch: caller(
    422,
    'The file does not have the size that was given',
    'Create a new upload with the exact size of the file in size_bytes.',
  ),
  upload_checksum_mismatch: caller(
    422,
    'The file does not have the SHA-256 that was given',
    'Create a new upload with the sha256 of the file that you send.',
  ),
  upload_not_media: caller(
    422,
    'The file is not media',
    'Upload a video, audio, image or caption file in a format listed in /docs/formats.',
  ),
  rate_limited: caller(
    429,
    'Too many requests',
    'Wait for the seconds in Retry-After, then send the request again.',
    true,
  ),
  queue_full: caller(
    429,
    'The queue of your account is full',
    'Wait until some of your tasks have ended.',
    true,
  ),
  internal_error: service(
    500,
    'Internal error',
    'Try again. If it happens again, contact support with the request_id.',
  ),
  uploads_unavailable: service(
    501,
    'This service does not accept uploads',
    'Give a public https:// URL of the file instead.',
    false,
  ),
  unavailable: service(
    503,
    'The service is temporarily unavailable',
    'Try again after the seconds in Retry-After.',
  ),

  source_forbidden: source(422, 'The source address is not allowed', 'Give a URL on a public host.'),
  source_unreachable: source(
    null,
    'The source could not be reached',
    'Check that the URL opens from the public internet.',
    true,
  ),
  source_http_error: source(
    null,
    'The source returned an HTTP error',
    'Check that the URL is public and has not expired. Status 4xx is not retryable, except 408, 425 and 429.',
    true,
  ),
  source_too_large: source(
    null,
    'The source is larger than the plan allows',
    'Use a smaller file or upgrade your plan.',
  ),
  source_too_long: source(
    null,
    'The source is longer than the plan allows',
    'Use a shorter file or range, a smaller picture or a lower frame rate, or upgrade your plan.',
  ),
  source_too_slow: source(
    null,
    'The source sends data too slowly',
    'Serve the file from a faster host.',
    true,
  ),
  source_not_media: source(
    null,
    'The source is not a supported media file',
    'Give a video, audio or image file in a format listed in /docs/formats.',
  ),
  source_truncated: source(null, 'The source is incomplete', 'Check that the whole file was uploaded.', true),
  source_damaged: source(
    null,
    'The source is damaged',
    'Check that the file plays from start to end, or export it again.',
  ),
  source_changed: source(
    null,
    'The source changed while it was being read',
    'Create the task again once the file no longer changes.',
  ),
  source_gone: source(
    null,
    'The task or upload that is the source was deleted or has expired',
    'Create the source task again, or upload the file again, and use the new id.',
  ),
  source_task_failed: source(
    null,
    'The task that is the source has no output',
    'Read the error of the source task and fix it, then create both tasks again.',
  ),
  source_no_video: source(null, 'The source has no video', 'Give a source with a video track.'),
  source_not_stereo: source(
    null,
    'The source is not stereo',
    'Give a stereo source with two different channels.',
  ),
  source_transparent: source(
    null,
    'The source is transparent',
    'Render it over its background in your editor, or give a source without transparency.',
  ),
  source_no_audio: source(null, 'The source has no audio', 'Give a source with an audio track.'),

  time_out_of_range: taskCaller(
    'A time is outside the source',
    'Use times between 0 and the duration of the source.',
  ),
  crop_out_of_bounds: taskCaller(
    'The crop rectangle does not fit the picture',
    'Keep the rectangle within the displayed size of the picture, with sides of at least 2 px.',
  ),
  track_not_found: taskCaller(
    'The source has no such track',
    'Use a track that /probe lists for the source. `audio_track` counts only audio tracks, from 0.',
  ),
  codec_unsupported: taskCaller(
    'The codec of a track is not supported here',
    '`detail` says which track, and what is possible: another format such as mkv, leaving the track out, /transcode, or another version of the source.',
  ),
  no_speech_found: taskCaller(
    'No speech was found',
    'Give a source with clear speech, or give the text if the operation takes one (`captions`, `script` or `words`).',
  ),
  captions_invalid: taskCaller(
    'The captions or the script cannot be read',
    'Give plain text, SubRip, WebVTT, ASS, or timed words as JSON.',
  ),
  font_invalid: taskCaller(
    'The font cannot be used',
    'Give a link to a TTF, OTF, TTC, WOFF or WOFF2 file of at most 32 MB, or leave style.font_url out.',
  ),
  all_silent: taskCaller(
    'Nothing is left to keep or to measure',
    'The detail says what is missing: change the setting that it names, or use a source with sound.',
  ),
  clip_too_short: taskCaller('A clip is too short', 'Use a longer clip or a shorter transition.'),
  request_too_complex: taskCaller(
    'The request takes too long to plan',
    'Use fewer clips, ranges, captions, words or replacements, or a shorter source.',
  ),
  output_too_large: taskCaller(
    'The output is too large',
    'Use a smaller picture, a lower quality, or fewer cuts.',
  ),
  output_too_small: taskCaller(
    'The output picture is too small',
    'Use a larger source, rectangle or output size, or another codec.',
  ),
  engine_unavailable: caller(
    422,
    'The engine is not available',
    'Choose an engine that GET /capabilities lists as available, or another codec.',
  ),
  engine_failed: service(null, 'The engine failed', 'Try again or choose another engine.'),
  provider_rejected_key: taskCaller(
    'The provider rejected your key',
    'Check the key you sent for the provider, and the credits of its account.',
  ),

  render_failed: service(
    null,
    'Rendering failed',
    'Try again. If it happens again, contact support with the task id.',
  ),
  output_invalid: service(
    null,
    'The output did not pass verification',
    'Try again. If it happens again, contact support with the task id.',
  ),
  timed_out: service(
    null,
    'The task took longer than the plan allows',
    'Use a shorter source or upgrade your plan.',
    false,
  ),
  out_of_memory: service(null, 'The task ran out of memory', 'Use a smaller source.', false),
  out_of_disk: service(
    null,
    'The task ran out of disk space',
    'Try again later, or use a smaller source or a smaller output.',
  ),
  worker_lost: service(
    null,
    'The machine that processed the task stopped',
    'Try again. If it happens again, the source may be the cause: re-encode it or use a shorter part.',
  ),
  storage_failed: service(null, 'The object store could not be used', 'Try again.'),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errors;

/** The codes that can occur in a response. */
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
