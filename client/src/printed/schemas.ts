// Printed from the registry by `npm run generate`.

import type { Source } from '../source.ts';

export type ErrorCode = "invalid_json" | "missing_api_key" | "invalid_api_key" | "subscription_required" | "plan_feature_required" | "signature_invalid" | "origin_forbidden" | "not_found" | "task_not_found" | "file_not_found" | "upload_not_found" | "webhook_endpoint_not_found" | "webhook_delivery_not_found" | "method_not_allowed" | "task_not_completed" | "task_failed" | "stale_attempt" | "idempotency_in_flight" | "upload_incomplete" | "upload_storage_full" | "output_expired" | "upload_expired" | "request_too_large" | "range_not_satisfiable" | "unsupported_media_type" | "validation_failed" | "idempotency_conflict" | "source_is_page" | "source_not_https" | "upload_size_mismatch" | "upload_checksum_mismatch" | "upload_not_media" | "rate_limited" | "queue_full" | "internal_error" | "uploads_unavailable" | "unavailable" | "source_forbidden" | "source_unreachable" | "source_http_error" | "source_too_large" | "source_too_long" | "source_too_slow" | "source_not_media" | "source_truncated" | "source_damaged" | "source_changed" | "source_gone" | "source_task_failed" | "source_no_video" | "source_not_stereo" | "source_transparent" | "source_no_audio" | "time_out_of_range" | "crop_out_of_bounds" | "track_not_found" | "codec_unsupported" | "no_speech_found" | "captions_invalid" | "font_invalid" | "all_silent" | "clip_too_short" | "request_too_complex" | "output_too_large" | "output_too_small" | "engine_unavailable" | "engine_failed" | "provider_rejected_key" | "render_failed" | "output_invalid" | "timed_out" | "out_of_memory" | "out_of_disk" | "worker_lost" | "storage_failed";

export interface Problem {
  /** URL of the documentation of this error. */
  type: string;
  /** The error code as a short sentence. */
  title: string;
  /** HTTP status. */
  status: number;
  /** What is wrong with this request and how to fix it. */
  detail: string;
  /** Path of the request. */
  instance: string;
  code: ErrorCode;
  /** The same as the X-Request-Id header. Quote it to support. */
  request_id: string;
  /** Whether the same request can succeed when it is sent again. */
  retryable: boolean;
  /** The fields that are not valid; at most 100. */
  errors?: ({
    /** JSON pointer (RFC 6901) to the field. */
    pointer: string;
    /** Kind of mistake, such as `required`, `unknown_field`, `invalid_type`, `invalid_value`, `too_small` or `too_big`. */
    code: string;
    /** What is wrong with the field and what is allowed. */
    detail: string;
  })[];
}

export interface Task {
  object: "task";
  /** Id of the task. */
  id: string;
  /** The same as `id`. */
  task_id: string;
  /** Name of the operation. */
  operation: "cut" | "crop" | "transcode" | "remux" | "silence_process" | "edit_by_text" | "speed" | "merge_urls" | "timeline" | "redub" | "redub_tts" | "redub_vc" | "captions_auto" | "transcribe" | "separate" | "visualize" | "photo_animate" | "frame_last" | "frame" | "probe";
  /** Path of the operation, such as `/cut`. */
  endpoint: string;
  /** Status of the task. `completed` and `failed` are final. */
  status: "queued" | "processing" | "completed" | "failed";
  /** Current stage of processing. */
  stage: "waiting" | "fetching" | "analyzing" | "rendering" | "uploading" | "done";
  /** Progress in percent. */
  progress_percent: number;
  /** Estimated seconds until the task ends; null if unknown. */
  eta_seconds: number | null;
  /** Position in the account's queue, starting at 1; null when the task is running or has ended. */
  queue_position: number | null;
  /** Number of the current or last attempt; 0 before the first. */
  attempt: number;
  /** Time in ISO 8601, UTC. */
  created_at: string;
  /** Start time, ISO 8601 UTC; null while the task is queued. */
  started_at: string | null;
  /** End time, ISO 8601 UTC; null until the task has ended. */
  completed_at: string | null;
  /** When the files are deleted. The task record is kept for `record_seconds` of the plan after the task ends. */
  expires_at: string | null;
  /** URL of the task; poll it for the status. */
  status_url: string;
  /** `self`: the task. `download`: the main file, once completed. `events`: changes of the task as Server-Sent Events. All of them need the API key. */
  links: {
    self: string;
    download: string | null;
    events: string;
  };
  /** The accepted request with its defaults filled in. Query strings of URLs are redacted. Once completed, `bytes_read` is the number of bytes downloaded from the sources. */
  input: Record<string, unknown>;
  /** The result; null unless completed, and null for a dry run. */
  output: TaskOutput | null;
  /** Result of a dry run: what the task would produce. Null unless the task is a completed dry run. */
  plan: TaskPlan | null;
  /** Deviations from the request and other notes about the output. */
  warnings: ({
    code: "source_vfr" | "source_interlaced" | "source_truncated" | "source_joined" | "source_edit_rate" | "frames_not_counted" | "range_clamped" | "audio_missing" | "video_missing" | "hdr_tonemapped" | "hdr_metadata_dropped" | "alpha_dropped" | "stream_dropped" | "size_reduced" | "segments_merged" | "words_not_said" | "detector_unavailable" | "transition_shortened" | "fades_shortened" | "speech_overran" | "language_assumed" | "basic_engine" | "low_confidence" | "captions_dropped" | "glyphs_missing" | "font_lacks_letters" | "font_variable" | "metadata_dropped" | "channels_mixed" | "loudness_limited";
    /** What happened and what it means for the output. */
    detail: string;
  })[];
  /** Why the task failed; null unless failed. */
  error: TaskError | null;
  /** The `metadata` of the request. */
  metadata: Record<string, string>;
}

export interface TaskError {
  code: ErrorCode;
  /** The error code as a short sentence. */
  title: string;
  /** What is wrong in this task, with the values concerned. */
  detail: string;
  /** What caused the error: the request (`caller`), the media or its host (`source`), or Spool (`service`). */
  fault: "caller" | "source" | "service";
  /** Whether the same request can succeed when it is sent again. */
  retryable: boolean;
  /** Stage in which the task failed. */
  stage: "waiting" | "fetching" | "analyzing" | "rendering" | "uploading" | "done";
  /** Index of the source concerned, starting at 0. */
  source_index?: number;
  /** JSON pointer to that source in the request, such as `/urls/2`. */
  pointer?: string;
  /** How to fix it. */
  hint: string;
}

export interface TaskOutput {
  /** Signed download URL of the main file. Works without an API key until `expires_at`. */
  file_url: string;
  /** File name of the download. */
  file_name: string;
  /** Size in bytes. */
  file_size: number;
  /** Media type, such as `video/mp4`. */
  media_type: string;
  /** Duration in seconds; null for a picture or a document. */
  duration: number | null;
  /** Width in pixels; null without video. */
  width: number | null;
  /** Height in pixels; null without video. */
  height: number | null;
  /** Average frame rate in frames per second. */
  fps: number | null;
  /** SHA-256 of the main file, in hexadecimal. */
  sha256: string;
  /** All output files. The first is the main file. */
  files: ({
    /** Role of the file. Download it with `?file=<role>`. */
    role: string;
    url: string;
    media_type: string;
    file_size: number;
  })[];
  /** Result fields of the operation. Its shape follows the `operation` of the task. */
  data: CutData | CropData | TranscodeData | RemuxData | SilenceProcessData | EditByTextData | SpeedData | MergeUrlsData | TimelineData | RedubData | RedubTtsData | RedubVcData | CaptionsAutoData | TranscribeData | SeparateData | VisualizeData | PhotoAnimateData | FrameLastData | FrameData | ProbeData;
  /** Maps source time to output time: for each span that was kept, the index of its source (starting at 0), its seconds in the source (`in`) and its seconds in the output (`out`). */
  time_map: ({
    source: number;
    in: [number, number];
    out: [number, number];
  })[];
}

export interface TaskPlan {
  /** The sources, in the order of the request. */
  sources: ({
    /** Container format, such as `mp4`. */
    container: string;
    /** Duration in seconds; null for a still picture. */
    duration: number | null;
    /** Size in bytes. */
    file_size: number;
    /** Video track as players display it (rotated upright, square pixels); null without video. */
    video: {
      codec: string;
      width: number;
      height: number;
      fps: number | null;
    } | null;
    /** Audio track that players play; null without audio. */
    audio: {
      codec: string;
      sample_rate: number;
      channels: number;
    } | null;
  })[];
  /** Files that the task would produce. The first is the main file. */
  files: ({
    role: string;
    file_name: string;
    media_type: string;
  })[];
  /** Duration in seconds; null for a picture or a document. */
  duration: number | null;
  /** Width in pixels; null without video. */
  width: number | null;
  /** Height in pixels; null without video. */
  height: number | null;
  /** Average frame rate in frames per second. */
  fps: number | null;
  /** Result fields of the operation. Its shape follows the `operation` of the task. */
  data: CutData | CropData | TranscodeData | RemuxData | SilenceProcessData | EditByTextData | SpeedData | MergeUrlsData | TimelineData | RedubData | RedubTtsData | RedubVcData | CaptionsAutoData | TranscribeData | SeparateData | VisualizeData | PhotoAnimateData | FrameLastData | FrameData | ProbeData;
  /** Maps source time to output time: for each span that was kept, the index of its source (starting at 0), its seconds in the source (`in`) and its seconds in the output (`out`). */
  time_map: ({
    source: number;
    in: [number, number];
    out: [number, number];
  })[];
}

export interface Upload {
  object: "upload";
  /** Id. `upload:<id>` is accepted wherever a URL of media is. */
  id: string;
  /** `waiting`: send the file, then complete the upload. `ready`: it can be used as a source. `failed`: `error` says why. `expired`: its file is deleted. */
  status: "waiting" | "ready" | "failed" | "expired";
  file_name: string;
  size_bytes: number;
  /** As given; once `ready`, what the first bytes of the content are. */
  media_type: string | null;
  /** As given. */
  sha256: string | null;
  /** Method for `url` and the URLs of the parts. */
  method: "PUT";
  /** URL to send the whole file to. Null if it is sent in parts, and unless `waiting`. It works once: a stored file cannot be replaced. */
  url: string | null;
  /** Headers to send with the file or with each part, exactly as they are. Content-Length is set by every HTTP client. */
  headers: Record<string, string>;
  /** For files over 100 MB: the URLs of the parts, in order. The `ETag` of each response is needed to complete the upload. Otherwise empty. */
  parts: ({
    /** Number of the part, starting at 1. */
    number: number;
    /** URL to send the bytes of this part to, with PUT. */
    url: string;
    /** Exact size of this part in bytes. */
    size_bytes: number;
  })[];
  /** Why the file was refused; null unless `failed`. */
  error: {
    code: ErrorCode;
    detail: string;
  } | null;
  /** Time of creation, ISO 8601 UTC. */
  created_at: string;
  /** When it became `ready`, ISO 8601 UTC. */
  completed_at: string | null;
  /** While `waiting`, when its URLs expire. Once `ready`, when the file is deleted. ISO 8601 UTC. */
  expires_at: string;
}

export interface Usage {
  object: "usage";
  from: string;
  to: string;
  /** Sums over all days and operations. */
  totals: {
    /** Number of completed tasks. */
    completed: number;
    /** Number of failed tasks, whatever the cause. */
    failed: number;
    /** Total duration of all sources, in seconds. */
    source_seconds: number;
    /** Total duration of all main output files, in seconds. */
    output_seconds: number;
    /** Wall-clock time of the final attempt of each task, in seconds. */
    processing_seconds: number;
    /** Bytes downloaded from sources. */
    bytes_read: number;
    /** Total size of all output files, in bytes. */
    bytes_stored: number;
  };
  /** Days on which at least one task ended, oldest first. */
  days: ({
    date: string;
    operations: ({
      operation: "cut" | "crop" | "transcode" | "remux" | "silence_process" | "edit_by_text" | "speed" | "merge_urls" | "timeline" | "redub" | "redub_tts" | "redub_vc" | "captions_auto" | "transcribe" | "separate" | "visualize" | "photo_animate" | "frame_last" | "frame" | "probe";
      /** Number of completed tasks. */
      completed: number;
      /** Number of failed tasks, whatever the cause. */
      failed: number;
      /** Total duration of all sources, in seconds. */
      source_seconds: number;
      /** Total duration of all main output files, in seconds. */
      output_seconds: number;
      /** Wall-clock time of the final attempt of each task, in seconds. */
      processing_seconds: number;
      /** Bytes downloaded from sources. */
      bytes_read: number;
      /** Total size of all output files, in bytes. */
      bytes_stored: number;
    })[];
  })[];
}

export interface Account {
  object: "account";
  id: string;
  plan: "basic" | "boost" | "elite";
  subscription: "active" | "inactive";
  limits: PlanLimits;
  used: {
    /** Running tasks. */
    running: number;
    /** Queued tasks. */
    waiting: number;
    /** Open long polls and event streams. */
    connections: number;
    /** Tasks you can still create in the current window of 60 s. */
    creations_left: number;
  };
}

export interface PlanLimits {
  title: string;
  creations_per_minute: number;
  polls_per_second: number;
  connections: number;
  running: number;
  waiting: number;
  source_bytes: number;
  source_seconds: number;
  source_pixels: number;
  source_pixel_seconds: number;
  source_streams: number;
  source_channels: number;
  task_seconds: number;
  output_side_px: number;
  output_bytes: number;
  work_bytes: number;
  upload_bytes: number;
  merge_inputs: number;
  retention_seconds: number;
  record_seconds: number;
  features: string[];
}

export interface WebhookEvent {
  object: "event";
  /** Id of the event, the same as the `webhook-id` header. Every attempt has the same id. */
  id: string;
  /** Type of the event. */
  type: "task.completed" | "task.failed" | "webhook.test";
  /** Time in ISO 8601, UTC. */
  created_at: string;
  /** The task as returned by `GET /task/{id}`; for `webhook.test`, the account. */
  data: {
    object: Task | {
      object: "account";
      /** Id of the account that sent the test. */
      id: string;
    };
  };
}

export interface WebhookEndpoint {
  object: "webhook_endpoint";
  id: string;
  /** URL that receives the events, with its query string redacted. */
  url: string;
  /** Event types sent to this endpoint. */
  events: ("task.completed" | "task.failed")[];
  /** `disabled` after the endpoint returned 410. Create a new endpoint to receive events again. */
  status: "enabled" | "disabled";
  /** Time in ISO 8601, UTC. */
  created_at: string;
}

export interface WebhookEndpointList {
  object: "list";
  data: WebhookEndpoint[];
}

export interface WebhookSecret {
  object: "webhook_secret";
  /** Secret that verifies signatures, in the format of the Standard Webhooks libraries. */
  secret: string;
  /** Time in ISO 8601, UTC. */
  created_at: string;
  /** Until this time, deliveries are also signed with the previous secret. Null if there is none. */
  previous_valid_until: string | null;
}

export interface WebhookDelivery {
  object: "webhook_delivery";
  id: string;
  /** The `webhook-id` header of the delivery. */
  event_id: string;
  event_type: "task.completed" | "task.failed" | "webhook.test";
  /** Id of the task; null for a test event. */
  task_id: string | null;
  /** Id of the endpoint; null for a `callback_url`. */
  endpoint_id: string | null;
  /** URL of the receiver, with its query string redacted. */
  url: string;
  /** `pending`: more attempts follow. `delivered`: the receiver returned 2xx. `failed`: no more attempts are made. */
  status: "pending" | "delivered" | "failed";
  /** Number of attempts made. */
  attempts: number;
  /** Time of the last attempt, ISO 8601 UTC; null before the first attempt. */
  last_attempt_at: string | null;
  /** HTTP status of the last response; null if there was none. */
  last_status_code: number | null;
  /** Why the last attempt failed; null if it succeeded. */
  last_error: "unreachable" | "timed_out" | "redirected" | "http_error" | "gone" | "address_forbidden" | "endpoint_disabled" | "endpoint_deleted" | "task_deleted" | null;
  /** Time of the next attempt, ISO 8601 UTC; null unless `pending`. */
  next_attempt_at: string | null;
  /** Time of the event, ISO 8601 UTC. */
  created_at: string;
}

export interface CutData {
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface CropData {
  /** The part of the displayed picture that was kept, in pixels; at the start of the video if it moves. */
  rectangle: {
    x: number;
    y: number;
    width: number;
    height: number;
  };
  /** With `anchor: auto` and `follow: subject`: where the subject is most of the time. */
  focus?: {
    /** From 0 (left) to 1 (right). */
    x: number;
    /** From 0 (top) to 1 (bottom). */
    y: number;
    /** What was found: `face`, `saliency` (something stands out or moves), or `center` (nothing; the middle is used). */
    by: "face" | "saliency" | "center";
  };
  /** With `follow: subject` and `path`: the movement of the crop. Send it back as `path`, edited or not, to apply it to the same video. */
  path?: ({
    /** Second of the video. Before the first point, the crop is where the first point is. */
    time: number;
    /** Left edge of the crop in pixels of the displayed picture. */
    x: number;
    /** Top edge of the crop in pixels of the displayed picture. */
    y: number;
    /** How the crop gets here from the point before: `smooth` starts and stops gently and stands still between two points at the same place, `jump` waits at the previous place and is here at once. @default "smooth" */
    ease: "smooth" | "jump";
  })[];
}

export interface TranscodeData {
  /** Integrated loudness of the source in LUFS; null without `normalize_lufs`. */
  measured_lufs: number | null;
}

export interface RemuxData {
  /** Tracks of the output, without covers. */
  tracks: ({
    /** Index in the output. */
    index: number;
    /** Index in the source, as `/probe` returns it. */
    source_index: number;
    type: "video" | "audio" | "subtitle" | "data" | "attachment";
    codec: string;
    language: string | null;
    title: string | null;
    default: boolean;
  })[];
  /** Number of chapters in the output. */
  chapters: number;
  /** Number of covers in the output. */
  covers: number;
  /** Names of the tags of the output. */
  tags: string[];
}

export interface SilenceProcessData {
  /** The decision list: the whole source in time order, in seconds. */
  segments: ({
    start: number;
    end: number;
    action: "keep" | "silent";
  })[];
  /** Total silence in the source, in seconds. */
  silence_seconds: number;
  /** Seconds by which the output is shorter than the source. With `mode: detect`, the seconds that `remove` would save. */
  saved_seconds: number;
  /** Noise floor in dBFS (10th percentile of the levels); null if `segments` was given. */
  noise_floor_db: number | null;
  /** Threshold that was used, in dBFS. With `auto`, it is the threshold of the whole source; louder and quieter sections have their own. Null if voices were detected instead, or if `segments` was given. */
  threshold_db: number | null;
  /** What the decision is based on: the level (`energy`) or voices (`speech`); null if `segments` was given. */
  detector: "energy" | "speech" | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface EditByTextData {
  /** The decision list: the whole source in time order, in seconds. `silent` parts are removed; `segments` of `/silence_process` takes it. Of a list with more than 3000 entries, send only the `silent` ones: other parts are kept. */
  segments: ({
    start: number;
    end: number;
    action: "keep" | "silent";
  })[];
  /** The first 2000 removed words with their times in the source. */
  removed: ({
    start: number;
    end: number;
    text: string;
    /** Entry of `remove` that asked for it; `text` if `keep_text` does not have it. The first of several. */
    because: "filler" | "repeat" | "word" | "phrase" | "range" | "text";
  })[];
  /** The first 2000 masked words with their times in the source. */
  masked: ({
    start: number;
    end: number;
    text: string;
  })[];
  /** Number of words in the source. */
  word_count: number;
  /** Number of removed words. */
  removed_count: number;
  /** Number of masked words. */
  masked_count: number;
  /** How many seconds shorter than the source the output is, or would be. */
  saved_seconds: number;
  /** Engine that recognized the words; null if they were given. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  } | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface SpeedData {
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface MergeUrlsData {
  /** The joints between clips, in order. */
  joints: ({
    /** Index of the joint; joint 0 follows the first clip. */
    index: number;
    /** Transition of the joint; `none` is a hard cut. */
    type: "none" | "fade" | "fadeblack" | "fadewhite" | "fadegrays" | "fadefast" | "fadeslow" | "dissolve" | "distance" | "pixelize" | "hblur" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "wipetl" | "wipetr" | "wipebl" | "wipebr" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "diagtl" | "diagtr" | "diagbl" | "diagbr" | "slideleft" | "slideright" | "slideup" | "slidedown" | "coverleft" | "coverright" | "coverup" | "coverdown" | "revealleft" | "revealright" | "revealup" | "revealdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "zoomin" | "squeezeh" | "squeezev" | "star" | "heart" | "diamond" | "plus" | "hexagon" | "ringsin" | "ringsout" | "corners" | "keyhole" | "clock" | "clockccw" | "clockdouble" | "fan" | "pinwheel" | "spiralin" | "spiralout" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "hlwind" | "hrwind" | "vuwind" | "vdwind" | "blindsh" | "blindsv" | "blindsdiag" | "zigzagh" | "zigzagv" | "wavesh" | "wavesv" | "glitch" | "checker" | "randomsquares" | "noise" | "clouds" | "polkadots" | "bricks" | "matrixrain" | "whipleft" | "whipright" | "whipup" | "whipdown" | "spin" | "spinccw" | "zoomblurin" | "zoomblurout" | "flash" | "lightleak";
    /** Start of the transition in the output, in seconds. */
    at: number;
    /** Duration in seconds; 0 for a hard cut. */
    duration: number;
  })[];
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface TimelineData {
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface RedubData {
  /** Milliseconds by which the audio ends after the video. */
  drift_ms: number;
  /** Gain applied to the whole mix in dB, to reach the target loudness or to avoid clipping; null in a dry run. */
  gain_db: number | null;
  /** Loudness of the output in LUFS; null if it is silent or shorter than 0.4 s, and in a dry run. */
  loudness_lufs: number | null;
  /** True peak of the output before encoding, in dBTP; null if it is silent or shorter than 0.4 s, and in a dry run. */
  true_peak_db: number | null;
  /** Background that was used. */
  background: "none" | "keep" | "external" | "centerremove" | "separate";
  /** Engine that removed the voices from the background; null if none was used. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  } | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface RedubTtsData {
  /** The spoken lines, in order. */
  segments: ({
    text: string;
    /** Slot of the line in the video, in seconds; null for plain text. */
    slot: [number, number] | null;
    /** Time at which the line is spoken in the output, in seconds. */
    spoken: [number, number];
    /** Speed-up factor of the line; 1 is unchanged. */
    stretch: number;
    /** Seconds by which the line exceeds its slot. */
    overrun: number;
  })[];
  /** The engine that was used. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  };
  /** Engine that removed the voices from the background; null if none was used. */
  separation: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  } | null;
  /** Background that was used. */
  background: "none" | "keep" | "external" | "centerremove" | "separate";
  /** Milliseconds by which the audio ends after the video. */
  drift_ms: number;
  /** Gain applied to the whole mix in dB, to reach the target loudness or to avoid clipping; null in a dry run. */
  gain_db: number | null;
  /** Loudness of the output in LUFS; null if it is silent or shorter than 0.4 s, and in a dry run. */
  loudness_lufs: number | null;
  /** True peak of the output before encoding, in dBTP; null if it is silent or shorter than 0.4 s, and in a dry run. */
  true_peak_db: number | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface RedubVcData {
  /** The consent given in the request. */
  consent: true;
  /** The engine that was used. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  };
  /** Engine that separated the voices; null if the whole audio was converted. */
  separation: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  } | null;
  /** Start and end of each passage of speech in seconds; the first 2000 passages. Null in a dry run. */
  segments: ([number, number])[] | null;
  /** Largest measured timing error of the new voice in milliseconds; null in a dry run. */
  max_drift_ms: number | null;
  /** Pitch shift that was applied, in semitones, including matching; null in a dry run and with other engines. */
  pitch_semitones: number | null;
  /** Formant shift that was applied, in semitones; null in a dry run and with other engines. */
  formant_semitones: number | null;
  /** Milliseconds by which the audio ends after the video. */
  drift_ms: number;
  /** Gain applied to the whole mix in dB, to reach the target loudness or to avoid clipping; null in a dry run. */
  gain_db: number | null;
  /** Loudness of the output in LUFS; null if it is silent or shorter than 0.4 s, and in a dry run. */
  loudness_lufs: number | null;
  /** True peak of the output before encoding, in dBTP; null if it is silent or shorter than 0.4 s, and in a dry run. */
  true_peak_db: number | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface CaptionsAutoData {
  /** The first 2000 words with their times; the file `words_json` has all of them. `confidence` is the probability of a recognized word. It is null for words of a script, for captions without confidence, and for words inserted by `vocabulary` or `replacements`. */
  words: ({
    /** Start in seconds. */
    start: number;
    /** End in seconds. */
    end: number;
    /** The word, including its punctuation. */
    text: string;
    /** Confidence from 0 to 1, if known. */
    confidence?: number | null;
    /** Name of who says it. */
    speaker?: string;
  })[];
  /** Number of words. */
  word_count: number;
  /** Number of captions. */
  cue_count: number;
  /** Language of the request, or of the engine; null if unknown. */
  language: string | null;
  /** Engine that recognized or aligned the speech; null if timed captions were given. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  } | null;
  /** Origin of the word times: `heard` (recognition), `aligned` (script aligned with the speech) or `given` (timed captions). */
  times: "heard" | "aligned" | "given";
  /** Who speaks when; null if no word has a speaker. */
  speakers: {
    /** Engine that distinguished the voices; null if the captions name the speakers. */
    engine: {
      /** Engine id as listed by `GET /capabilities`. */
      id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
      /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
      tier: "model" | "embedded" | "cloud";
      /** Expected quality of the result. */
      quality: "high" | "basic";
      /** Model or voices in use; null if the engine needs none. */
      model_id: string | null;
    } | null;
    /** Number of speakers. */
    count: number;
    /** Words in a row of one speaker, for the words in `words`; the file `words_json` has all. */
    turns: ({
      /** Name of who speaks. */
      speaker: string;
      /** Start of the first word in seconds. */
      start: number;
      /** End of the last word in seconds. */
      end: number;
      /** What is said. */
      text: string;
    })[];
  } | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface TranscribeData {
  /** The first 20,000 characters of the text; the file `txt` has all of it. Paragraphs are separated by an empty line. */
  text: string;
  /** The first 2000 words with their times; the file `words_json` has all of them. `confidence` is the probability of a recognized word. It is null for words of a script and for words inserted by `vocabulary`. */
  words: ({
    /** Start in seconds. */
    start: number;
    /** End in seconds. */
    end: number;
    /** The word, including its punctuation. */
    text: string;
    /** Confidence from 0 to 1, if known. */
    confidence?: number | null;
    /** Name of who says it. */
    speaker?: string;
  })[];
  /** Number of words. */
  word_count: number;
  /** Number of captions in `srt` and `vtt`. */
  cue_count: number;
  /** Language of the request, or of the engine; null if unknown. */
  language: string | null;
  /** The engine that was used. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  };
  /** Origin of the words: `heard` (recognition) or `aligned` (a script). */
  times: "heard" | "aligned";
  /** Who speaks when; null if no word has a speaker. */
  speakers: {
    /** Engine that distinguished the voices; null if the captions name the speakers. */
    engine: {
      /** Engine id as listed by `GET /capabilities`. */
      id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
      /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
      tier: "model" | "embedded" | "cloud";
      /** Expected quality of the result. */
      quality: "high" | "basic";
      /** Model or voices in use; null if the engine needs none. */
      model_id: string | null;
    } | null;
    /** Number of speakers. */
    count: number;
    /** Words in a row of one speaker, for the words in `words`; the file `words_json` has all. */
    turns: ({
      /** Name of who speaks. */
      speaker: string;
      /** Start of the first word in seconds. */
      start: number;
      /** End of the last word in seconds. */
      end: number;
      /** What is said. */
      text: string;
    })[];
  } | null;
}

export interface SeparateData {
  /** Stems that were produced; the name is the role of the file. */
  stems: ("vocals" | "music")[];
  /** The engine that was used. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  };
  /** Gain applied to all stems to avoid clipping, in dB; usually 0. Null in a dry run. */
  gain_db: number | null;
  /** Seconds of video that were copied without re-encoding. */
  copied_seconds: number;
  /** Seconds of video that were re-encoded. */
  rendered_seconds: number;
  /** How each part of the video was made, in order: copied without re-encoding, or re-encoded and why. */
  spans?: ({
    /** Seconds of the output, from and to. */
    out: [number, number];
    /** Frames in the span; null if unknown. */
    frames: number | null;
    /** Whether its packets are copied from the source. */
    copied: boolean;
    /** Why it was re-encoded; null if it was copied. See /docs/rendering. */
    rendered_because: "cut" | "filtered" | "transition" | "speed" | "gap" | "other_encoding" | "fallback" | "reversed" | "flipped" | "rotation" | "container" | "codec" | "format" | "quality" | "drawn" | "converted" | "deinterlaced" | "engine_unavailable" | "no_entry_in_range" | "little_to_copy" | "edit_list" | "frames_differ" | "no_clip_fits" | "variable_rate" | "parameter_sets_unreadable" | "parameter_sets_in_band" | "parameter_sets_change" | "several_sps" | "profile" | "interlaced" | "chroma_format" | "poc_type" | "scaling_matrix" | "lossless" | "slice_groups" | "cropped_from_the_left" | "no_references" | "no_free_pps_id" | "several_layers" | "bit_depth" | "dolby_vision" | "timestamps_missing" | null;
  })[];
}

export interface VisualizeData {
  /** True peak of the audio in dBTP; null if it is silent or shorter than 0.4 s. */
  peak_db: number | null;
  /** Integrated loudness of the audio in LUFS (EBU R 128); null if it is silent or shorter than 0.4 s. */
  lufs: number | null;
  /** The captions that were drawn; null if the request has no `captions`. */
  captions: {
    /** Number of words. */
    word_count: number;
    /** Number of captions. */
    cue_count: number;
    /** Language of the request, or of the engine; null if unknown. */
    language: string | null;
    engine: {
      /** Engine id as listed by `GET /capabilities`. */
      id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
      /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
      tier: "model" | "embedded" | "cloud";
      /** Expected quality of the result. */
      quality: "high" | "basic";
      /** Model or voices in use; null if the engine needs none. */
      model_id: string | null;
    } | null;
    /** Origin of the word times: `heard` (recognition), `aligned` (script aligned with the speech) or `given` (timed captions). */
    times: "heard" | "aligned" | "given";
  } | null;
}

export interface PhotoAnimateData {
  /** Engine that estimated the depth for `parallax`; null if no photo uses it. */
  engine: {
    /** Engine id as listed by `GET /capabilities`. */
    id: "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs" | "openvoice" | "rubberband" | "spleeter" | "centre_mask" | "depth_anything" | "silero_vad" | "pyannote";
    /** `model`: a downloaded model. `embedded`: built in. `cloud`: a provider. */
    tier: "model" | "embedded" | "cloud";
    /** Expected quality of the result. */
    quality: "high" | "basic";
    /** Model or voices in use; null if the engine needs none. */
    model_id: string | null;
  } | null;
  /** When each photo is visible. Two photos are visible during a transition. */
  timeline: ({
    /** Index of the photo, starting at 0. */
    photo: number;
    /** Movement of the photo. */
    preset: "ken_burns" | "zoom_in" | "zoom_out" | "pan_left" | "pan_right" | "pan_up" | "pan_down" | "push_diagonal" | "drift" | "pulse" | "parallax";
    /** Second of the output at which the photo appears. */
    start: number;
    /** Second of the output at which the photo disappears. */
    end: number;
    /** With `focus: auto`: the subject of the photo. */
    focus?: {
      /** From 0 (left) to 1 (right). */
      x: number;
      /** From 0 (top) to 1 (bottom). */
      y: number;
      /** What was found: `face`, `saliency` (something stands out or moves), or `center` (nothing; the middle is used). */
      by: "face" | "saliency" | "center";
    };
  })[];
}

export interface FrameLastData {
  /** Presentation time of the frame in seconds. */
  timestamp: number;
  /** Duration of the source in seconds. */
  source_duration: number;
}

export interface FrameData {
  /** Presentation time of each frame in seconds, in the order of the files. */
  timestamps: number[];
}

export interface ProbeData {
  container: string;
  /** Duration in seconds; null for a still picture. */
  duration: number | null;
  start_time: number | null;
  file_size: number;
  bitrate_kbps: number | null;
  streams: ({
    index: number;
    type: "video" | "audio" | "subtitle" | "data" | "attached_picture";
    codec: string;
    profile: string | null;
    duration: number | null;
    start_time: number | null;
    bitrate_kbps: number | null;
    language: string | null;
    default: boolean;
    /** Coded width in pixels. */
    width: number | null;
    /** Coded height in pixels. */
    height: number | null;
    /** Width as displayed: rotated upright, with square pixels. */
    display_width: number | null;
    /** Height as displayed: rotated upright, with square pixels. */
    display_height: number | null;
    /** Clockwise rotation that players apply, in degrees. */
    rotation: number | null;
    sample_aspect_ratio: string | null;
    /** Average frame rate as a fraction, such as "30000/1001"; null if unknown. */
    frame_rate: string | null;
    /** Null if the frames were not counted and the index does not state it. */
    variable_frame_rate: boolean | null;
    /** Number of frames; null if they were not counted and the container does not state it. */
    frames: number | null;
    pixel_format: string | null;
    bit_depth: number | null;
    color_space: string | null;
    color_transfer: string | null;
    color_primaries: string | null;
    sample_rate: number | null;
    channels: number | null;
    channel_layout: string | null;
  })[];
  /** Chapters by start, at most 1000. The times count from the start of the source. */
  chapters: ({
    start: number;
    end: number;
    title: string;
  })[];
  /** Seconds between keyframes of the first video stream, and the number of keyframes; null without video, and if the frames were not counted. */
  keyframe_interval: {
    mean: number;
    max: number;
    count: number;
  } | null;
  /** EBU R 128 loudness if requested, otherwise null. Its values are null if the audio is silent or shorter than 0.4 s. */
  loudness: {
    integrated_lufs: number | null;
    range_lu: number | null;
    true_peak_db: number | null;
  } | null;
}

export interface CutInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Start of the cut in seconds; 0 by default. Video starts at the nearest frame, audio-only cuts start at the exact sample. */
  start?: number | string;
  /** Length of the cut in seconds. Give either `duration` or `end`. */
  duration?: number | string;
  /** End of the cut in seconds. Give either `end` or `duration`. Video ends at the frame boundary nearest to this time. */
  end?: number | string;
  /** Ranges to keep, joined in the given order. Use it instead of `start`, `duration` and `end`. */
  segments?: ({
    /** Start of the range in seconds; see `start`. */
    start: number | string;
    /** End of the range in seconds; see `end`. */
    end: number | string;
  })[];
  /** `precise` is exact to the frame. `keyframe` copies every frame and starts at keyframes; a `codec` or `format` that needs re-encoding makes it `precise`, and so do several ranges of HEVC that cannot be joined without it. @default "precise" */
  mode?: "precise" | "keyframe";
  /** `keep` keeps the audio, `mute` removes it. @default "keep" */
  audio?: "keep" | "mute";
  /** Fade-in from black and silence, in seconds. @default 0 */
  fade_in?: number;
  /** Fade-out to black and silence, in seconds. @default 0 */
  fade_out?: number;
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface CropInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url: Source;
  /** Left edge of the rectangle, in pixels of the displayed picture or as a percentage of its side. */
  x?: number | string;
  /** Top edge of the rectangle, in pixels of the displayed picture or as a percentage of its side. */
  y?: number | string;
  /** Width of the rectangle, in pixels of the displayed picture or as a percentage of its side; at least 2 px. */
  width?: number | string;
  /** Height of the rectangle, in pixels of the displayed picture or as a percentage of its side; at least 2 px. */
  height?: number | string;
  /** Aspect ratio of the output, such as `9:16`. Use it instead of a rectangle. */
  aspect_ratio?: string;
  /** With `aspect_ratio`: the part of the picture to keep (`fill: crop`), or the position of the picture (`fill: pad` and `blur`). `auto` keeps the subject: the faces that are in the video longest, otherwise what stands out or moves, otherwise the center. It also places a rectangle that has only `width` and `height`. @default "center" */
  anchor?: "top_left" | "top" | "top_right" | "left" | "center" | "right" | "bottom_left" | "bottom" | "bottom_right" | "auto";
  /** `subject` moves the crop with the subject (see `anchor: auto`). The crop stands still while the subject stays near its middle, otherwise moves smoothly, and jumps only where a new scene begins. The movement is in `path` of the result. Needs an `aspect_ratio`, or `width` and `height`. @default "none" */
  follow?: "none" | "subject";
  /** Moves the crop along these points, such as the `path` of an earlier result, edited or not. The place of the crop depends only on the time of each frame. Needs an `aspect_ratio`, or `width` and `height`. */
  path?: ({
    /** Second of the video. Before the first point, the crop is where the first point is. */
    time: number;
    /** Left edge of the crop in pixels of the displayed picture. */
    x: number;
    /** Top edge of the crop in pixels of the displayed picture. */
    y: number;
    /** How the crop gets here from the point before: `smooth` starts and stops gently and stands still between two points at the same place, `jump` waits at the previous place and is here at once. @default "smooth" */
    ease?: "smooth" | "jump";
  })[];
  /** How the picture is fitted to `aspect_ratio`: `crop` cuts it, `pad` adds bars, `blur` adds a blurred background. @default "crop" */
  fill?: "crop" | "pad" | "blur";
  /** Width of the output in pixels, rounded down to an even number. Without `output_height`, the aspect ratio is kept. With both, the output has exactly this size: a cropped picture is stretched to it, and `fill: pad` and `blur` fit the picture into it. */
  output_width?: number;
  /** Height of the output in pixels, rounded down to an even number. Without `output_width`, the aspect ratio is kept. With both, the output has exactly this size: a cropped picture is stretched to it, and `fill: pad` and `blur` fit the picture into it. */
  output_height?: number;
  /** Color of the bars with `fill: pad`, as `#rrggbb`. @default "#000000" */
  background?: string;
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface TranscodeInput {
  /** Public https:// URL of the source video, or of an audio file with `audio_only`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url: Source;
  /** Container format of the output. Defaults to mp4, or to mp3 with `audio_only`. */
  format?: "mp4" | "mov" | "webm" | "mkv" | "mp3" | "m4a" | "wav" | "flac" | "ogg";
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Width in pixels, rounded down to an even number. */
  width?: number;
  /** Height in pixels, rounded down to an even number. */
  height?: number;
  /** How the picture is fitted if both `width` and `height` are given. `contain` adds black bars, `cover` crops, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept. @default "contain" */
  fit?: "contain" | "cover" | "stretch";
  /** Constant frame rate of the output. Without it, the frame times of the source are kept. */
  fps?: number;
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Audio codec. `auto` uses the default of the format. @default "auto" */
  audio_codec?: "auto" | "aac" | "mp3" | "opus" | "vorbis" | "flac" | "pcm";
  /** Bitrate of lossy audio that is re-encoded, within what the codec allows. Defaults to about that of the source, 48 to 192 kbit/s per channel; for PCM, FLAC and unknown bitrates, to 80 kbit/s per channel. */
  audio_bitrate_kbps?: number;
  /** Extract the audio only. `codec`, `quality`, `deinterlace` and `tracks` then have no effect; the bitrate of the sound is `audio_bitrate_kbps`. @default false */
  audio_only?: boolean;
  /** Target loudness in LUFS (EBU R 128) of the first audio track; others keep theirs. −16 is common on the web. Sound shorter than 0.4 s has no loudness and ends the task with `all_silent`. */
  normalize_lufs?: number;
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface RemuxInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** What to remove from the source: nothing, GPS and device data (`private`), or all metadata (`all`). What `set`, `chapters`, `cover_url` and `tracks` give is kept. @default "none" */
  strip?: "none" | "private" | "all";
  /** Tags of the file to set; an empty text removes a tag. Other tags are kept as `strip` says. @default {} */
  set?: {
    /** Title. An empty text removes it. */
    title?: string;
    /** Artist or author. An empty text removes it. */
    artist?: string;
    /** Artist of the whole album. An empty text removes it. */
    album_artist?: string;
    /** Album. An empty text removes it. */
    album?: string;
    /** Composer. An empty text removes it. */
    composer?: string;
    /** Genre. An empty text removes it. */
    genre?: string;
    /** Date of publication: `2026` or `2026-11-23`. An empty text removes it. */
    date?: string;
    /** Number in the album: `3` or `3/12`. An empty text removes it. */
    track?: string;
    /** Number of the disc: `1` or `1/2`. An empty text removes it. */
    disc?: string;
    /** Copyright notice. An empty text removes it. */
    copyright?: string;
    /** Comment. An empty text removes it. */
    comment?: string;
    /** Description. An empty text removes it. */
    description?: string;
    /** Lyrics. An empty text removes it. */
    lyrics?: string;
  };
  /** Chapters that replace the ones of the source, in ascending order. An empty list removes them. */
  chapters?: ({
    /** Start of the chapter in seconds. It ends where the next one starts. */
    start: number | string;
    /** Title of the chapter. */
    title: string;
  })[];
  /** Public https:// URL of a JPEG or PNG that replaces the covers of the source, `upload:<upload_id>` or `task:<task_id>`. Its Exif is removed. mp4, m4a, mkv, mp3 and flac hold covers. */
  cover_url?: Source;
  /** Tracks to drop or relabel. Tracks that are not listed are kept as they are. @default [] */
  tracks?: ({
    /** Index of the track in the source, as `/probe` returns it. */
    index: number;
    /** Whether the track is part of the output. @default true */
    keep?: boolean;
    /** Language, as an ISO 639-2 code such as `eng`; `und` for unknown. */
    language?: string;
    /** Whether players select the track. If true, other tracks of its type lose the flag unless listed with it. */
    default?: boolean;
    /** Title of the track. An empty text removes it. */
    title?: string;
  })[];
  /** Container format of the output. Defaults to the container of the source if it can be written, otherwise to mkv. With an audio format, only the sound is kept. */
  format?: "mp4" | "mov" | "webm" | "mkv" | "mp3" | "m4a" | "wav" | "flac" | "ogg";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface SilenceProcessInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** What happens to silences. `remove` cuts them out, `speed_up` plays them at `silent_speed`, `mute` mutes them and keeps the picture, `detect` only lists them. @default "remove" */
  mode?: "remove" | "detect" | "speed_up" | "mute";
  /** Level above which sound is detected, in dBFS. `auto` follows the room: it uses 12 dB above the noise floor (the 10th percentile of the levels in the surrounding 90 seconds), or more if the noise has higher peaks. It is always below the loudest level and between −60 and −24. @default "auto" */
  threshold_db?: number | "auto";
  /** What counts as sound. `auto` keeps voices and removes pauses even if there are other sounds in them, such as typing, chairs or breaths; in recordings of meetings it removes several times as much as `energy`, and sometimes a soft word, about 1 % of the speech. If the source has no voices, or with a number as `threshold_db`, it works like `energy`, which keeps everything that reaches `threshold_db`. `speech` keeps only voices, without regard to levels, and fails if there are none. @default "auto" */
  detector?: "auto" | "energy" | "speech";
  /** Keep silences that are shorter than this after padding, in seconds. @default 0.5 */
  min_silence?: number;
  /** Seconds to keep before each sound. @default 0.1 */
  padding_before?: number;
  /** Seconds to keep after each sound. @default 0.2 */
  padding_after?: number;
  /** Treat sounds shorter than this as silence, in seconds including the padding. @default 0.1 */
  min_clip?: number;
  /** Seconds to keep of each silence, half at each end. At the start or end of the source, all of them are kept next to the sound. @default 0 */
  keep_silence?: number;
  /** Playback speed of silences with `mode: speed_up`. The pitch is kept. @default 4 */
  silent_speed?: number;
  /** Audio fade at each cut, in milliseconds. @default 10 */
  audio_fade_ms?: number;
  /** Decision list to apply instead of detection, in time order, as returned by a `detect` task or by `/edit_by_text`. Parts that are in no segment are kept, so the `silent` segments of a long list are enough. */
  segments?: ({
    /** Start of the segment in seconds. */
    start: number | string;
    /** End of the segment in seconds. */
    end: number | string;
    /** `keep` leaves the segment unchanged; `silent` processes it according to `mode`. */
    action: "keep" | "silent";
  })[];
  /** Ranges to keep even if they are silent. */
  protect_ranges?: ({
    /** Start of the range in seconds. */
    start: number | string;
    /** End of the range in seconds. */
    end: number | string;
  })[];
  /** Export the edit for editing programs. The format is the role of the file. @default [] */
  export?: ("edl" | "fcpxml" | "otio" | "csv")[];
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface EditByTextInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** `remove` makes the edited file, `detect` only lists what would be cut. @default "remove" */
  mode?: "remove" | "detect";
  /** The words of the source with their times, instead of recognition. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each. */
  words?: ({
    /** Start in seconds. */
    start: number;
    /** End in seconds. */
    end: number;
    /** The word, including its punctuation. */
    text: string;
    /** Confidence from 0 to 1, if known. */
    confidence?: number | null;
    /** Name of who says it. */
    speaker?: string;
  })[];
  /** Public https:// URL of a JSON file of words with times, as in `words_json` of `/transcribe`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks, such as `/transcribe` with `outputs: ["words_json"]` (the new task waits for it to end). Use it instead of `words`. */
  words_url?: Source;
  /** Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine. @default "auto" */
  language?: string;
  /** Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine. @default "auto" */
  engine?: "auto" | "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx";
  /** Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `words` is given. @default [] */
  vocabulary?: string[];
  /** What to remove. */
  remove?: {
    /** Remove "um", "uh", "er" and the like. @default false */
    fillers?: boolean;
    /** Remove words and groups of up to four words that are said twice in a row; the last one stays. Doubles that are often meant, such as "very very", stay. @default false */
    repeats?: boolean;
    /** Words to remove wherever they are said. @default [] */
    words?: string[];
    /** Phrases to remove wherever they are said. @default [] */
    phrases?: string[];
    /** Ranges to remove. A word is removed with a range that covers its middle, and kept whole otherwise. */
    ranges?: ({
      /** Start of the range in seconds. */
      start: number | string;
      /** End of the range in seconds. */
      end: number | string;
    })[];
  };
  /** What stays, instead of `remove`: words of the source in their order, in any letter case and punctuation. All other words are removed. */
  keep_text?: string;
  /** What happens to profanity that stays, if the words are English: `mute` silences it, `bleep` covers it with a tone. In other languages, only `mask_words` are masked. @default "none" */
  profanity?: "none" | "mute" | "bleep";
  /** Further words that `profanity` masks, such as names. @default [] */
  mask_words?: string[];
  /** Most seconds of a gap to keep on each side of a cut. @default 0.1 */
  padding?: number;
  /** Audio fade at each cut, in milliseconds. @default 10 */
  audio_fade_ms?: number;
  /** Export the edit for editing programs. The format is the role of the file. @default [] */
  export?: ("edl" | "fcpxml" | "otio" | "csv")[];
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface SpeedInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Playback speed of the whole source, from 0.1 to 16. Use either `rate` or `ranges`. */
  rate?: number;
  /** Ranges with their own speed, in time order and without overlap. The rest plays at 1. */
  ranges?: ({
    /** Start of the range in seconds. */
    start: number | string;
    /** End of the range in seconds. */
    end: number | string;
    /** Playback speed of the range, from 0.1 to 16. */
    rate: number;
  })[];
  /** Pitch of the sound: `keep` preserves it, `follow` raises and lowers it with the rate. @default "keep" */
  pitch?: "keep" | "follow";
  /** Play backwards. @default false */
  reverse?: boolean;
  /** Clockwise turn of the displayed picture, in degrees. @default 0 */
  rotate?: 0 | 90 | 180 | 270;
  /** Mirror the picture: `horizontal` swaps left and right, `vertical` top and bottom. @default "none" */
  flip?: "none" | "horizontal" | "vertical";
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface MergeUrlsInput {
  /** Clips in order. Each is a URL, or an object with the URL and the part to use. */
  urls?: (Source | {
    /** Public https:// URL of the clip, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
    url: Source;
    /** Start of the part to use, in seconds. Defaults to the start of the clip. */
    start?: number | string;
    /** End of the part to use, in seconds. Defaults to the end of the clip. Where its sound goes on for more than 0.2 s after the picture, the last frame stays until the sound ends. */
    end?: number | string;
    /** Gain of the clip in dB. */
    volume_db?: number;
  })[];
  /** Alias of `urls`. Give one of the two. */
  video_urls?: (Source | {
    /** Public https:// URL of the clip, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
    url: Source;
    /** Start of the part to use, in seconds. Defaults to the start of the clip. */
    start?: number | string;
    /** End of the part to use, in seconds. Defaults to the end of the clip. Where its sound goes on for more than 0.2 s after the picture, the last frame stays until the sound ends. */
    end?: number | string;
    /** Gain of the clip in dB. */
    volume_db?: number;
  })[];
  /** Transition between clips. `none` is a hard cut. See `/docs/transitions` for previews. @default "none" */
  transition?: "none" | "fade" | "fadeblack" | "fadewhite" | "fadegrays" | "fadefast" | "fadeslow" | "dissolve" | "distance" | "pixelize" | "hblur" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "wipetl" | "wipetr" | "wipebl" | "wipebr" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "diagtl" | "diagtr" | "diagbl" | "diagbr" | "slideleft" | "slideright" | "slideup" | "slidedown" | "coverleft" | "coverright" | "coverup" | "coverdown" | "revealleft" | "revealright" | "revealup" | "revealdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "zoomin" | "squeezeh" | "squeezev" | "star" | "heart" | "diamond" | "plus" | "hexagon" | "ringsin" | "ringsout" | "corners" | "keyhole" | "clock" | "clockccw" | "clockdouble" | "fan" | "pinwheel" | "spiralin" | "spiralout" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "hlwind" | "hrwind" | "vuwind" | "vdwind" | "blindsh" | "blindsv" | "blindsdiag" | "zigzagh" | "zigzagv" | "wavesh" | "wavesv" | "glitch" | "checker" | "randomsquares" | "noise" | "clouds" | "polkadots" | "bricks" | "matrixrain" | "whipleft" | "whipright" | "whipup" | "whipdown" | "spin" | "spinccw" | "zoomblurin" | "zoomblurout" | "flash" | "lightleak";
  /** Duration of each transition in seconds. @default 1 */
  duration?: number;
  /** Transitions of individual joints, in order; the first is between the first two clips. Joints without an entry use `transition` and `duration`. */
  transitions?: ({
    /** Transition of this joint. Defaults to `transition`. */
    type?: "none" | "fade" | "fadeblack" | "fadewhite" | "fadegrays" | "fadefast" | "fadeslow" | "dissolve" | "distance" | "pixelize" | "hblur" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "wipetl" | "wipetr" | "wipebl" | "wipebr" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "diagtl" | "diagtr" | "diagbl" | "diagbr" | "slideleft" | "slideright" | "slideup" | "slidedown" | "coverleft" | "coverright" | "coverup" | "coverdown" | "revealleft" | "revealright" | "revealup" | "revealdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "zoomin" | "squeezeh" | "squeezev" | "star" | "heart" | "diamond" | "plus" | "hexagon" | "ringsin" | "ringsout" | "corners" | "keyhole" | "clock" | "clockccw" | "clockdouble" | "fan" | "pinwheel" | "spiralin" | "spiralout" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "hlwind" | "hrwind" | "vuwind" | "vdwind" | "blindsh" | "blindsv" | "blindsdiag" | "zigzagh" | "zigzagv" | "wavesh" | "wavesv" | "glitch" | "checker" | "randomsquares" | "noise" | "clouds" | "polkadots" | "bricks" | "matrixrain" | "whipleft" | "whipright" | "whipup" | "whipdown" | "spin" | "spinccw" | "zoomblurin" | "zoomblurout" | "flash" | "lightleak";
    /** Duration of this transition in seconds. Defaults to `duration`. */
    duration?: number;
    /** Start of the transition, in seconds from the start of the preceding clip. Use it to end that clip early. */
    offset?: number | string;
  })[];
  /** Audio during a transition: `crossfade`, or `cut` in the middle of the transition. @default "crossfade" */
  audio_transition?: "crossfade" | "cut";
  /** Width in pixels, rounded down to an even number. */
  width?: number;
  /** Height in pixels, rounded down to an even number. */
  height?: number;
  /** Constant frame rate of the output. Defaults to the frame rate of the first clip. If that clip has a variable frame rate or frames longer than 0.1 s, it defaults to the highest frame rate of all clips. */
  fps?: number;
  /** How a clip with another aspect ratio is fitted. `contain` adds bars in the color `background`, `cover` crops, `blur` adds a blurred copy as the background, `stretch` ignores the aspect ratio. @default "contain" */
  fit?: "contain" | "cover" | "blur" | "stretch";
  /** Color of the bars with `fit: contain`, as `#rrggbb`. @default "#000000" */
  background?: string;
  /** Normalize what is played of each clip to −16 LUFS before `volume_db` is applied. The gain of a clip is limited where its true peaks would exceed −1.5 dBTP: the clip is then quieter, and the warning `loudness_limited` says by how much. Silence, and sound shorter than 0.4 s, stay as they are. @default false */
  normalize_audio?: boolean;
  /** Public https:// URL of background music for the whole output; it is repeated if it is shorter, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  background_audio_url?: Source;
  /** Gain of the background music in dB. @default -12 */
  background_volume_db?: number;
  /** Lower the background music while the clips have sound. @default true */
  duck?: boolean;
  /** If a clip is shorter than its transitions: `shorten` shortens the transitions and adds a warning; `error` fails the task with `clip_too_short`. @default "shorten" */
  on_short_clip?: "shorten" | "error";
  /** `all` keeps every audio track, every text track and the chapters at their new times, with language, title and default flag, as far as `format` can hold them. Timecode and other data tracks, attachments, covers, subtitles that are pictures and text tracks with more than 50,000 captions or 4 million characters in what is used are not kept; the warning `stream_dropped` names them. `first` keeps the picture and one audio track, the default one, without text and chapters. @default "all" */
  tracks?: "all" | "first";
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface TimelineInput {
  /** The OpenTimelineIO document (`Timeline.1`), as a JSON object or as its text. */
  otio: Record<string, unknown> | string;
  /** The source of each media reference: by its `target_url`, the file name in it, its name or the name of the clip. Every entry must be used. */
  media: Record<string, Source>;
  /** Pitch of the sound of clips with a time warp: `keep` preserves it, `follow` raises and lowers it with the rate. @default "keep" */
  pitch?: "keep" | "follow";
  /** Width in pixels, rounded down to an even number. */
  width?: number;
  /** Height in pixels, rounded down to an even number. */
  height?: number;
  /** Constant frame rate of the output. Defaults to the frame rate of the only source, or to the rate of the first clip if that is from 8 to 120. */
  fps?: number;
  /** How a clip with another aspect ratio is fitted. `contain` adds bars in the color `background`, `cover` crops, `blur` adds a blurred copy as the background, `stretch` ignores the aspect ratio. @default "contain" */
  fit?: "contain" | "cover" | "blur" | "stretch";
  /** Color of the bars with `fit: contain`, as `#rrggbb`. @default "#000000" */
  background?: string;
  /** Number of the only audio track to use, counted from 0 in the order of the file (`/probe` lists them). Without it, the default one comes first. */
  audio_track?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface RedubInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url: Source;
  /** Public https:// URL of the new voice, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  voice_url?: Source;
  /** Public https:// URL of the new voice; alias of `voice_url`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** What happens to the audio of the video if neither `bg_source` nor `bg_url` is given: `replace` removes it, `mix` keeps it as the background. With `bg_url`, the audio at that URL is the only background, also with `mix`. @default "replace" */
  mode?: "replace" | "mix";
  /** Background sound under the voice. `none`: no background. `keep`: the audio of the video. `external`: the audio at `bg_url`. `centerremove`: the audio of the video without the center of its stereo image, where voices usually are. `separate`: the audio of the video with its voices removed by the best available engine. */
  bg_source?: "none" | "keep" | "external" | "centerremove" | "separate";
  /** Public https:// URL of the background for `bg_source: external`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  bg_url?: Source;
  /** Gain of the background in dB. @default -12 */
  bg_volume_db?: number;
  /** Lower the background while the voice speaks. Noise between its sentences does not keep it lowered. @default true */
  duck?: boolean;
  /** Maximum reduction of the background in dB. @default 12 */
  duck_db?: number;
  /** Gain of the voice in dB. @default 0 */
  voice_volume_db?: number;
  /** Fade-in of the new audio in seconds. @default 0 */
  fade_in?: number;
  /** Fade-out of the new audio in seconds. @default 0 */
  fade_out?: number;
  /** Time in the video at which the voice starts, in seconds. A negative value skips that much of the start of the voice. @default 0 */
  offset?: number;
  /** Length of the output: `video`, `audio` (end of the voice, including the offset) or `shortest` (the shorter of the two). @default "video" */
  length_policy?: "video" | "audio" | "shortest";
  /** What follows if the voice ends first: `silence`, or `loop` to repeat the voice. @default "silence" */
  when_audio_shorter?: "silence" | "loop";
  /** What follows if the video ends first: `freeze` holds the last frame, `loop` repeats the video. @default "freeze" */
  when_video_shorter?: "freeze" | "loop";
  /** Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly. */
  normalize_lufs?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface RedubTtsInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url: Source;
  /** The script: plain text of at most 5000 sentences, or SubRip, WebVTT or ASS with times. At most 1000 captions of 5000 characters each, and 1000 characters per word. Captions without a letter or digit, such as ♪, are not spoken. */
  script?: string;
  /** Timed lines in time order. Use it instead of `script`. */
  segments?: ({
    /** Start of the line in the video, in seconds. */
    start: number | string;
    /** Time at which the line should end, in seconds. Defaults to the start of the next line. */
    end?: number | string;
    /** Text to speak. */
    text: string;
    /** Voice of this line. It must belong to the same engine. */
    voice_id?: string;
  })[];
  /** Voice id from `GET /capabilities`, or a voice of the provider. Defaults to a voice of the language. */
  voice_id?: string;
  /** Engine that speaks. `auto`: the best available engine, or ElevenLabs or your own speech API if you send its headers. `builtin`: an engine without a model. `local`: an engine with an installed model. Or the name of an engine. @default "auto" */
  provider?: "auto" | "builtin" | "local" | "speech_api_tts" | "workers_ai_tts" | "kokoro" | "flite" | "espeak_ng" | "elevenlabs";
  /** Language of the script as a BCP 47 tag, such as `en` or `pt-BR`. `zh` is spoken as Mandarin (`zh-HK` and `zh-MO` as Cantonese), `no` as Bokmål. @default "en" */
  language?: string;
  /** Speaking rate; 1 is normal. @default 1 */
  speed?: number;
  /** What happens to a line that is longer than its slot. `stretch`: it is shortened as described above. `none`: it keeps its length and the following lines move back. `trim`: it is cut off with a fade. @default "stretch" */
  fit?: "stretch" | "none" | "trim";
  /** Maximum time-stretching of a line, in percent. @default 25 */
  max_stretch_percent?: number;
  /** Respellings that make words sound right, such as {"Nguyen": "win"}. Captions keep the original words. @default {} */
  pronunciations?: Record<string, string>;
  /** Background sound under the voice. `none`: no background. `keep`: the audio of the video. `external`: the audio at `bg_url`. `centerremove`: the audio of the video without the center of its stereo image, where voices usually are. `separate`: the audio of the video with its voices removed by the best available engine. */
  bg_source?: "none" | "keep" | "external" | "centerremove" | "separate";
  /** Public https:// URL of the background for `bg_source: external`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  bg_url?: Source;
  /** Gain of the background in dB. @default -12 */
  bg_volume_db?: number;
  /** Lower the background while the voice speaks. Noise between its sentences does not keep it lowered. @default true */
  duck?: boolean;
  /** Maximum reduction of the background in dB. @default 12 */
  duck_db?: number;
  /** Gain of the voice in dB. @default 0 */
  voice_volume_db?: number;
  /** Fade-in of the new audio in seconds. @default 0 */
  fade_in?: number;
  /** Fade-out of the new audio in seconds. @default 0 */
  fade_out?: number;
  /** Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly. @default -16 */
  normalize_lufs?: number;
  /** Add the captions as SRT and WebVTT files. @default true */
  return_captions?: boolean;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface RedubVcInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, instead of `video_url`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Confirms that the owners of both voices have agreed. It must be `true`. */
  consent: true;
  /** A preset (see `/docs/examples`) or the id of an ElevenLabs voice. Presets aim at a range of pitch: a high voice is raised less by `feminine`. */
  voice_id?: string;
  /** Public https:// URL of a few seconds of the target voice, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  voice_sample_url?: Source;
  /** Engine that converts the voice. `auto`: the best available engine for the request. `builtin`: an engine without a model. `local`: an engine with an installed model. Or the name of an engine. @default "auto" */
  provider?: "auto" | "builtin" | "local" | "elevenlabs" | "openvoice" | "rubberband";
  /** Pitch shift in semitones, in addition to the preset or sample. @default 0 */
  pitch_semitones?: number;
  /** Formant shift, in addition to the preset or sample. 1 is 4 semitones up and sounds like a smaller speaker. @default 0 */
  formant?: number;
  /** Convert only the voices and keep other sounds, if an available engine can separate them. The built-in engine separates what is at one place of a stereo sound. If voices are at several places, such as one in each channel, all sound is converted. @default true */
  preserve_background?: boolean;
  /** Target loudness of the output in LUFS (EBU R 128). True peaks are at most −1.5 dBTP before encoding; a lossy codec may exceed that slightly. */
  normalize_lufs?: number;
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface CaptionsAutoInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine. @default "auto" */
  language?: string;
  /** Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine. @default "auto" */
  engine?: "auto" | "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx";
  /** Text of the captions: a plain script, which is aligned with the speech, or SubRip, WebVTT, ASS or timed words, whose times are kept. A word may have a `speaker`, a `color` and be `bold` or `italic`; WebVTT says the same with `<v Ann>`, `<c.red>`, `<b>` and `<i>`. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each. */
  captions?: string | ({
    /** Start in seconds. */
    start: number;
    /** End in seconds. */
    end: number;
    /** The word, including its punctuation. */
    text: string;
    /** Confidence from 0 to 1, if known. */
    confidence?: number | null;
    /** Name of who says it. */
    speaker?: string;
    /** Color of the word. */
    color?: string;
    /** Whether it is bold; by default as the preset is. */
    bold?: boolean;
    /** Whether it is italic. */
    italic?: boolean;
  })[];
  /** Public https:// URL of a caption file or script, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). Use it instead of `captions`; the same limits apply, and the file has at most 4 MB. */
  captions_url?: Source;
  /** Id of one of your completed tasks, such as a cut. Captions timed for the source of that task are moved to the times of its output; captions of removed parts are dropped. */
  time_map_task?: string;
  /** Index of the source of that task that the captions belong to, starting at 0. @default 0 */
  time_map_source?: number;
  /** Burn the captions into the picture. The default is true for a source with a picture. Sound alone, such as a podcast in `audio_url` or `video_url`, gives the files in `outputs`, and `burn: true` is refused. */
  burn?: boolean;
  /** What is behind the captions. `transparent` and `green` return the captions alone, to lay them over the video in an editor: every frame has the size and the time of the source's, and there is no sound, because the video has it. `transparent` is ProRes 4444 with `format: mov` and VP9 with `webm` or `mkv`, with straight alpha; `mp4` has no transparency. `green` is flat #00FF00, in any format; green letters, as `word_pop` highlights words, vanish with it. `match_source` is then `high`; ProRes has one quality. Captions that change during a long frame of a variable frame rate make it constant, as when they are burned in, with the warning `source_vfr`. @default "video" */
  background?: "video" | "transparent" | "green";
  /** `soft` also adds the captions as a subtitle track that viewers can turn on (mov_text in mp4 and mov, SubRip in mkv, WebVTT in webm). With `burn: false`, the video is copied without re-encoding. @default "none" */
  embed?: "none" | "soft";
  /** Caption files to return. `ass` is the file that is burned in; for sound alone it is laid out for 1920 × 1080. @default ["srt"] */
  outputs?: ("srt" | "vtt" | "ass" | "txt" | "words_json")[];
  /** Style of the captions. `clean`: White text with a thin dark outline; `karaoke`: Each word fills with color while it is spoken; `highlight`: The current word changes to the highlight color; `word_pop`: Large capitals; the current word pops up in the highlight color; `bold_box`: Black capitals on a solid colored box; `pill`: A rounded colored pill behind the current word; `neon`: Bright glowing text; `minimal`: Small, light text with a soft shadow; `broadcast`: White text on a dark, semi-transparent box, as on television; `typewriter`: Monospaced text that appears letter by letter as it is spoken; `impact`: Capitals with a thick outline; the current word pops up, in yellow, green and red in turn; `comic`: Narrow yellow capitals with a thick black outline; the current word is white; `candy`: White text with a purple outline; the current word pops up in yellow; `marker`: The current word in black on a yellow marker; `podcast`: White text on a dark box; the current word is yellow; `paper`: Dark text on a white box; the current word is magenta; `news`: White capitals on a solid red box; `terminal`: Green monospaced text on a black box that appears as it is spoken; `cinema`: White serif text with a soft shadow, as in films; `elegant`: Ivory serif text; the current word is gold. See `/docs/examples` for previews. @default "clean" */
  preset?: "clean" | "karaoke" | "highlight" | "word_pop" | "bold_box" | "pill" | "neon" | "minimal" | "broadcast" | "typewriter" | "impact" | "comic" | "candy" | "marker" | "podcast" | "paper" | "news" | "terminal" | "cinema" | "elegant";
  /** Settings that override the preset. If letters cannot be read with the colors that you choose, they get a black or white outline, unless you choose it too. @default {} */
  style?: {
    /** Font family. Letters that it lacks come from the Noto families, emoji from Twemoji. */
    font_family?: "Inter" | "Lato" | "Bebas Neue" | "Noto Sans" | "Noto Serif" | "DejaVu Sans Mono" | "Montserrat" | "Poppins" | "Oswald" | "Fredoka" | "Playfair Display" | "Roboto Slab" | "Anton" | "Archivo Black" | "Bangers" | "Luckiest Guy" | "Permanent Marker" | "Titan One";
    /** Public https:// URL of a font of your own, or `upload:<upload_id>`: TTF, OTF, TTC (its first font), WOFF or WOFF2, at most 32 MB. It is used for this task only; use it instead of `font_family`. Letters that it lacks are drawn with the other fonts. */
    font_url?: Source;
    /** Line height in percent of the shorter side of the picture. By default as in the preset; fonts that it does not use get equally high capitals. */
    font_size_percent?: number;
    /** Color of the text. */
    color?: string;
    /** Color that highlights the current word. */
    highlight_color?: string;
    /** Up to three highlight colors, which captions use in turn. Use it instead of `highlight_color`. */
    highlight_colors?: string[];
    /** Color of the outline. */
    outline_color?: string;
    /** Width of the outline in pixels. */
    outline_px?: number;
    /** Color of the box behind the text, if the preset has one. */
    background_color?: string;
    /** Opacity of that box. */
    background_opacity?: number;
    /** Letter case of the text. */
    letter_case?: "as_is" | "upper" | "lower";
  };
  /** What is shown at a time: a `phrase`, a single `word`, a single `line`, or with `punch` 1 to 4 large words in the middle of the picture, their lines 8 to 11 % of the shorter side high. `auto` is `punch` if captions are burned into a picture that is higher than wide in one of the presets `highlight`, `word_pop`, `pill`, `neon`, `impact`, `comic`, `candy`, `marker`, and `max_words` is not above 4. Otherwise it is `phrase`. The files have the same division. @default "auto" */
  layout?: "auto" | "phrase" | "word" | "line" | "punch";
  /** How each caption appears. `none`: at once; `fade`: fades in; `pop`: grows and overshoots a little; `slide_up`: moves up into its place; `bounce`: grows and swings around its size; `blur`: becomes sharp. It takes 0.2 to 0.45 s, at most a quarter of the caption's time, and stays inside the safe area. @default "none" */
  entrance?: "none" | "fade" | "pop" | "slide_up" | "bounce" | "blur";
  /** Maximum number of words per caption. `layout: punch` has at most 4. */
  max_words?: number;
  /** Maximum number of characters per line. East Asian characters count as two. Narrow pictures get shorter lines. @default 42 */
  max_chars_per_line?: number;
  /** Maximum number of lines per caption. @default 2 */
  max_lines?: number;
  /** Position of the captions in the picture. The default is `center` for `layout: punch`, otherwise `bottom`. */
  position?: "top_left" | "top" | "top_right" | "left" | "center" | "right" | "bottom_left" | "bottom" | "bottom_right";
  /** Keep captions clear of the controls that this app shows over the picture. @default "none" */
  safe_area?: "none" | "tiktok" | "reels" | "shorts";
  /** Replacements of words in the captions. @default [] */
  replacements?: ({
    /** One or more words to replace, in any letter case. */
    from: string;
    /** Replacement; empty to remove the words. */
    to: string;
  })[];
  /** Words and phrases that have a color of their own. A color that cannot be read in the preset gets a black or white outline. @default [] */
  keywords?: ({
    /** A word or a phrase, in any letter case and without punctuation. */
    text: string;
    /** Color as `#rrggbb`. */
    color: string;
  })[];
  /** Emoji that pop up over the captions when a word is said, and below captions at the top: a map of words or phrases, in any letter case, to emoji, or `auto` for a list, at most one emoji in 3 s. The list has some 400 words in English, and the names of 55 to 100 things in 24 other European languages. If neither `language` nor the engine says which one is spoken, it is English. They are drawn, and not in the text of the files. */
  emoji?: "auto" | Record<string, string>;
  /** Tells voices apart and names who says each word `Speaker 1`, `Speaker 2` and so on, in the order in which they begin to speak. No caption then has words of two speakers, and WebVTT names them as `<v Speaker 1>`. `auto` does so if `GET /capabilities` lists an available engine for `diarize` and there is more than one voice. `detect` names a single voice too, and fails without such an engine, as does a number: how many people speak at most. A number is safer than counting voices. `none` names no one. Captions that have times keep the speakers that they name, and are listened to for `detect` or a number only. @default "auto" */
  speakers?: "auto" | "detect" | "none" | number;
  /** Colors of what each speaker says: a list, in the order in which they begin to speak, or a map of names to colors. Speakers are the heard ones, `Speaker 1` and so on, as with `speakers: detect`, or those that the captions name: words with a `speaker`, WebVTT with `<v Ann>`, or ASS with names. No caption then has words of two speakers, unless you gave it so. A color that cannot be read in the preset gets a black or white outline. */
  speaker_colors?: string[] | Record<string, string>;
  /** Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `captions` is given. @default [] */
  vocabulary?: string[];
  /** Ranges of the video that get no captions. */
  exclude_ranges?: ({
    /** Start of the range in seconds. */
    start: number | string;
    /** End of the range in seconds. */
    end: number | string;
  })[];
  /** Quality of re-encoded video. `match_source` keeps the bitrate of the source (±15 % for clips of 10 s or longer), scaled to the new size, frame rate and codec; simple pictures may use less, enlarged ones more; joined clips keep their own. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "match_source" */
  quality?: "match_source" | "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` keeps the codec of the source if browsers can play it in `format`; otherwise it uses h264 (vp9 in webm). @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced. @default "auto" */
  deinterlace?: "auto" | "never" | "always";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface TranscribeInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine. @default "auto" */
  language?: string;
  /** Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine. @default "auto" */
  engine?: "auto" | "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx";
  /** What is said, as plain text: its words get the times at which they are spoken, and keep their spelling. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each. */
  script?: string;
  /** Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `script` is given. @default [] */
  vocabulary?: string[];
  /** Tells voices apart and names who says each word `Speaker 1`, `Speaker 2` and so on, in the order in which they begin to speak. No caption then has words of two speakers, and WebVTT names them as `<v Speaker 1>`. `auto` does so if `GET /capabilities` lists an available engine for `diarize` and there is more than one voice. `detect` names a single voice too, and fails without such an engine, as does a number: how many people speak at most. A number is safer than counting voices. `none` names no one. A change of speaker begins a paragraph of the text. If there are several, it begins with the name, such as `Speaker 2: `. @default "auto" */
  speakers?: "auto" | "detect" | "none" | number;
  /** Files to return; the first one is the main file. @default ["txt","srt","vtt","words_json"] */
  outputs?: ("txt" | "srt" | "vtt" | "words_json")[];
  /** Maximum number of characters per line in `srt` and `vtt`. East Asian characters count as two. @default 42 */
  max_chars_per_line?: number;
  /** Maximum number of lines per caption in `srt` and `vtt`. @default 2 */
  max_lines?: number;
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface SeparateInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of the source audio, instead of `video_url`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Stems to produce: `2` for both, or a list of their names. @default 2 */
  stems?: 2 | ("vocals" | "music")[];
  /** Engine to use. `GET /capabilities` lists the available ones. `auto`: the best available engine. @default "auto" */
  engine?: "auto" | "spleeter" | "centre_mask";
  /** Audio format of the stems. wav and flac are 24-bit. @default "mp3" */
  format?: "mp3" | "wav" | "flac" | "m4a";
  /** Bitrate of mp3 and m4a stems. @default 256 */
  bitrate_kbps?: number;
  /** Add the video as mp4 with the vocals or the music (`instrumental`) as its audio. @default "none" */
  return_video?: "none" | "vocals" | "instrumental";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface VisualizeInput {
  /** Public https:// URL of the audio, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). If it is a video, its audio is used. */
  audio_url: Source;
  /** Public https:// URL of a background video; it fills the frame and its audio is not used, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url?: Source;
  /** Public https:// URL of a background picture (png, jpeg, webp or gif); it fills the frame, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  image_url?: Source;
  /** Background color as `#rrggbb`, if there is no background video or picture. Transparent pictures and covers lie on it, too. @default "#0b0d12" */
  background_color?: string;
  /** Style of the visualizer. `bars`: Rounded frequency bars, low to high, with falling peaks. `wave`: Scrolling waveform with the current moment in the middle. `spectrum`: Spectrum as a glowing curve. `ring`: Bars around a circle, with room for a cover. `line`: Single oscilloscope line. `mirror`: Bars mirrored vertically, low frequencies in the middle. `cqt`: Musical notes (constant-Q transform) as bars above a scrolling history. `vectorscope`: Left against right channel, with an afterglow. `dots`: Matrix of dots that light up from the bottom. See `/docs/examples` for previews. @default "bars" */
  style?: "bars" | "wave" | "spectrum" | "ring" | "line" | "mirror" | "cqt" | "vectorscope" | "dots";
  /** One to four colors as `#rrggbb`, used as a gradient. Its direction depends on the style: left to right, bottom to top, around the circle or outwards. @default ["#7c5cff","#22d3ee"] */
  colors?: string[];
  /** Width in pixels, rounded down to an even number. @default 1280 */
  width?: number;
  /** Height in pixels, rounded down to an even number. @default 720 */
  height?: number;
  /** Frame rate in frames per second. @default 30 */
  fps?: number;
  /** Number of bars, columns of dots or points of the curve. `cqt` always has 108 (one per semitone of nine octaves); `line` and `vectorscope` have none. @default 64 */
  bars?: number;
  /** How slowly levels fall, from 0 (immediately) to 1 (slowest). They always rise immediately. @default 0.5 */
  smoothing?: number;
  /** Position of the visualizer. By default at the bottom or in the middle, depending on the style and the other elements. */
  position?: "top_left" | "top" | "top_right" | "left" | "center" | "right" | "bottom_left" | "bottom" | "bottom_right";
  /** Size of the visualizer in percent of the width, or of the shorter side for `ring` and `vectorscope`. Defaults to 88; for `ring` and `vectorscope` to 66, or 84 in portrait format. A `ring` is smaller where its title and subtitle need the room. */
  size_percent?: number;
  /** Opacity of the visualizer, from 0.05 to 1. @default 1 */
  opacity?: number;
  /** Title in any script; at most two lines are shown. */
  title?: string;
  /** Smaller text under the title. */
  subtitle?: string;
  /** Public https:// URL of a cover (png, jpeg, webp or gif); it is cropped to a square, or to a circle inside `ring`, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  cover_url?: Source;
  /** What follows if the background video ends before the audio: `loop` repeats it, `freeze` holds the last frame. @default "loop" */
  when_background_shorter?: "loop" | "freeze";
  /** Fade-in and fade-out of picture and audio, in seconds. Each is at most half the length of the audio. @default 0 */
  fade?: number;
  /** Captions of what is said or sung, drawn over the visualizer. `{}` recognizes the words; `captions` or `captions_url` in it gives them. The fields have the same meaning as in `/captions/auto`. Without `position`, captions are where the visualizer, title and cover leave the most room. */
  captions?: {
    /** Text of the captions: a plain script, which is aligned with the speech, or SubRip, WebVTT, ASS or timed words, whose times are kept. A word may have a `speaker`, a `color` and be `bold` or `italic`; WebVTT says the same with `<v Ann>`, `<c.red>`, `<b>` and `<i>`. At most 60,000 words, none longer than 1,000 characters, and 10,000 captions of 5,000 characters each. */
    captions?: string | ({
      /** Start in seconds. */
      start: number;
      /** End in seconds. */
      end: number;
      /** The word, including its punctuation. */
      text: string;
      /** Confidence from 0 to 1, if known. */
      confidence?: number | null;
      /** Name of who says it. */
      speaker?: string;
      /** Color of the word. */
      color?: string;
      /** Whether it is bold; by default as the preset is. */
      bold?: boolean;
      /** Whether it is italic. */
      italic?: boolean;
    })[];
    /** Public https:// URL of a caption file or script, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). Use it instead of `captions`; the same limits apply, and the file has at most 4 MB. */
    captions_url?: Source;
    /** Language of the speech as a BCP 47 tag, such as `en` or `pt-BR`. `auto` leaves the choice to the engine. @default "auto" */
    language?: string;
    /** Engine to use. `GET /capabilities` lists the available ones. `auto`: your own speech API if you send one in `X-Speech-Api-Url`, otherwise the best available engine. @default "auto" */
    engine?: "auto" | "speech_api" | "workers_ai" | "parakeet" | "parakeet_en" | "parakeet_small" | "pocketsphinx";
    /** Style of the captions. `clean`: White text with a thin dark outline; `karaoke`: Each word fills with color while it is spoken; `highlight`: The current word changes to the highlight color; `word_pop`: Large capitals; the current word pops up in the highlight color; `bold_box`: Black capitals on a solid colored box; `pill`: A rounded colored pill behind the current word; `neon`: Bright glowing text; `minimal`: Small, light text with a soft shadow; `broadcast`: White text on a dark, semi-transparent box, as on television; `typewriter`: Monospaced text that appears letter by letter as it is spoken; `impact`: Capitals with a thick outline; the current word pops up, in yellow, green and red in turn; `comic`: Narrow yellow capitals with a thick black outline; the current word is white; `candy`: White text with a purple outline; the current word pops up in yellow; `marker`: The current word in black on a yellow marker; `podcast`: White text on a dark box; the current word is yellow; `paper`: Dark text on a white box; the current word is magenta; `news`: White capitals on a solid red box; `terminal`: Green monospaced text on a black box that appears as it is spoken; `cinema`: White serif text with a soft shadow, as in films; `elegant`: Ivory serif text; the current word is gold. See `/docs/examples` for previews. @default "clean" */
    preset?: "clean" | "karaoke" | "highlight" | "word_pop" | "bold_box" | "pill" | "neon" | "minimal" | "broadcast" | "typewriter" | "impact" | "comic" | "candy" | "marker" | "podcast" | "paper" | "news" | "terminal" | "cinema" | "elegant";
    /** Settings that override the preset. If letters cannot be read with the colors that you choose, they get a black or white outline, unless you choose it too. @default {} */
    style?: {
      /** Font family. Letters that it lacks come from the Noto families, emoji from Twemoji. */
      font_family?: "Inter" | "Lato" | "Bebas Neue" | "Noto Sans" | "Noto Serif" | "DejaVu Sans Mono" | "Montserrat" | "Poppins" | "Oswald" | "Fredoka" | "Playfair Display" | "Roboto Slab" | "Anton" | "Archivo Black" | "Bangers" | "Luckiest Guy" | "Permanent Marker" | "Titan One";
      /** Public https:// URL of a font of your own, or `upload:<upload_id>`: TTF, OTF, TTC (its first font), WOFF or WOFF2, at most 32 MB. It is used for this task only; use it instead of `font_family`. Letters that it lacks are drawn with the other fonts. */
      font_url?: Source;
      /** Line height in percent of the shorter side of the picture. By default as in the preset; fonts that it does not use get equally high capitals. */
      font_size_percent?: number;
      /** Color of the text. */
      color?: string;
      /** Color that highlights the current word. */
      highlight_color?: string;
      /** Up to three highlight colors, which captions use in turn. Use it instead of `highlight_color`. */
      highlight_colors?: string[];
      /** Color of the outline. */
      outline_color?: string;
      /** Width of the outline in pixels. */
      outline_px?: number;
      /** Color of the box behind the text, if the preset has one. */
      background_color?: string;
      /** Opacity of that box. */
      background_opacity?: number;
      /** Letter case of the text. */
      letter_case?: "as_is" | "upper" | "lower";
    };
    /** What is shown at a time: a `phrase`, a single `word`, a single `line`, or with `punch` 1 to 4 large words in the middle of the picture, their lines 8 to 11 % of the shorter side high. `auto` is `punch` if captions are burned into a picture that is higher than wide in one of the presets `highlight`, `word_pop`, `pill`, `neon`, `impact`, `comic`, `candy`, `marker`, and `max_words` is not above 4. Otherwise it is `phrase`. The files have the same division. @default "auto" */
    layout?: "auto" | "phrase" | "word" | "line" | "punch";
    /** How each caption appears. `none`: at once; `fade`: fades in; `pop`: grows and overshoots a little; `slide_up`: moves up into its place; `bounce`: grows and swings around its size; `blur`: becomes sharp. It takes 0.2 to 0.45 s, at most a quarter of the caption's time, and stays inside the safe area. @default "none" */
    entrance?: "none" | "fade" | "pop" | "slide_up" | "bounce" | "blur";
    /** Maximum number of words per caption. `layout: punch` has at most 4. */
    max_words?: number;
    /** Maximum number of characters per line. East Asian characters count as two. Narrow pictures get shorter lines. @default 42 */
    max_chars_per_line?: number;
    /** Maximum number of lines per caption. @default 2 */
    max_lines?: number;
    /** Position of the captions in the picture. The default is `center` for `layout: punch`, otherwise `bottom`. */
    position?: "top_left" | "top" | "top_right" | "left" | "center" | "right" | "bottom_left" | "bottom" | "bottom_right";
    /** Keep captions clear of the controls that this app shows over the picture. @default "none" */
    safe_area?: "none" | "tiktok" | "reels" | "shorts";
    /** Replacements of words in the captions. @default [] */
    replacements?: ({
      /** One or more words to replace, in any letter case. */
      from: string;
      /** Replacement; empty to remove the words. */
      to: string;
    })[];
    /** Words and phrases that have a color of their own. A color that cannot be read in the preset gets a black or white outline. @default [] */
    keywords?: ({
      /** A word or a phrase, in any letter case and without punctuation. */
      text: string;
      /** Color as `#rrggbb`. */
      color: string;
    })[];
    /** Emoji that pop up over the captions when a word is said, and below captions at the top: a map of words or phrases, in any letter case, to emoji, or `auto` for a list, at most one emoji in 3 s. The list has some 400 words in English, and the names of 55 to 100 things in 24 other European languages. If neither `language` nor the engine says which one is spoken, it is English. They are drawn, and not in the text of the files. */
    emoji?: "auto" | Record<string, string>;
    /** Tells voices apart and names who says each word `Speaker 1`, `Speaker 2` and so on, in the order in which they begin to speak. No caption then has words of two speakers, and WebVTT names them as `<v Speaker 1>`. `auto` does so if `GET /capabilities` lists an available engine for `diarize` and there is more than one voice. `detect` names a single voice too, and fails without such an engine, as does a number: how many people speak at most. A number is safer than counting voices. `none` names no one. Captions that have times keep the speakers that they name, and are listened to for `detect` or a number only. @default "auto" */
    speakers?: "auto" | "detect" | "none" | number;
    /** Colors of what each speaker says: a list, in the order in which they begin to speak, or a map of names to colors. Speakers are the heard ones, `Speaker 1` and so on, as with `speakers: detect`, or those that the captions name: words with a `speaker`, WebVTT with `<v Ann>`, or ASS with names. No caption then has words of two speakers, unless you gave it so. A color that cannot be read in the preset gets a black or white outline. */
    speaker_colors?: string[] | Record<string, string>;
    /** Names and terms that occur in the speech, in their correct spelling, such as `Kubernetes`. In English, uncertain words that sound like a term are recognized again and replaced if the term is more likely. In other languages, words spelled almost like a term are replaced, which finds fewer. All other words stay unchanged. Has no effect if `captions` is given. @default [] */
    vocabulary?: string[];
    /** Ranges of the video that get no captions. */
    exclude_ranges?: ({
      /** Start of the range in seconds. */
      start: number | string;
      /** End of the range in seconds. */
      end: number | string;
    })[];
  };
  /** Quality of the video. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "high" */
  quality?: "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` uses h264, or vp9 in webm. @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface PhotoAnimateInput {
  /** Public https:// URL of the photo, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  photo_url?: Source;
  /** Photos in order. Each is a URL, or an object with the URL and its own settings. Give either `photo_url` or `photo_urls`. */
  photo_urls?: (Source | {
    /** Public https:// URL of the photo, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
    url: Source;
    /** Seconds that the photo is shown. */
    duration?: number;
    /** Movement of this photo. */
    preset?: "ken_burns" | "zoom_in" | "zoom_out" | "pan_left" | "pan_right" | "pan_up" | "pan_down" | "push_diagonal" | "drift" | "pulse" | "parallax";
    /** Horizontal position of the subject, from 0 (left) to 1 (right). */
    focus_x?: number;
    /** Vertical position of the subject, from 0 (top) to 1 (bottom). */
    focus_y?: number;
  })[];
  /** Movement of the photos. `ken_burns`: Slow zoom and pan towards the focus; every second photo moves away from it. `zoom_in`: Zooms in on the focus. `zoom_out`: Zooms out from the focus. `pan_left`: Pans left. `pan_right`: Pans right. `pan_up`: Pans up. `pan_down`: Pans down. `push_diagonal`: Moves from one corner to the opposite one while zooming in. `drift`: Drifts slowly, like a hand-held camera. `pulse`: Zooms in and out every 2.5 seconds. `parallax`: Moves the foreground in front of the background; needs a depth engine. See `/docs/examples` for previews. @default "ken_burns" */
  preset?: "ken_burns" | "zoom_in" | "zoom_out" | "pan_left" | "pan_right" | "pan_up" | "pan_down" | "push_diagonal" | "drift" | "pulse" | "parallax";
  /** Seconds that each photo is shown, including its transitions. @default 5 */
  duration?: number;
  /** Frame rate in frames per second. @default 30 */
  fps?: number;
  /** Width in pixels, rounded down to an even number. */
  width?: number;
  /** Height in pixels, rounded down to an even number. */
  height?: number;
  /** Aspect ratio of the output, such as `9:16`. Ignored if both `width` and `height` are given. Without `width` and `height`, the shorter side is 1080 px, or the longer side is 1920 px if that gives a smaller picture. @default "16:9" */
  aspect_ratio?: string;
  /** Zoom factor at the start. 1 shows as much of the photo as fits. @default 1 */
  zoom_start?: number;
  /** Zoom factor at the end. `zoom_out` moves from `zoom_end` to `zoom_start`. Pans stay at `zoom_start` if the photo is large enough in that direction; otherwise they use `zoom_end`. @default 1.2 */
  zoom_end?: number;
  /** `auto` finds the subject of each photo: its faces, otherwise what stands out, otherwise the center. `point` uses `focus_x` and `focus_y`. A photo that has its own `focus_x` or `focus_y` uses them in either case. @default "point" */
  focus?: "point" | "auto";
  /** Horizontal position of the subject, from 0 (left) to 1 (right). @default 0.5 */
  focus_x?: number;
  /** Vertical position of the subject, from 0 (top) to 1 (bottom). @default 0.5 */
  focus_y?: number;
  /** Speed of the movement: `linear` is constant, `ease_in_out` starts and ends slowly. @default "ease_in_out" */
  easing?: "linear" | "ease_in_out";
  /** How a photo with another aspect ratio fills the frame. `cover` crops it, `contain` shows all of it on the color `background`, `blur` shows all of it on a blurred copy of itself. @default "cover" */
  fill?: "cover" | "contain" | "blur";
  /** Color around photos with `fill: contain` and behind transparent photos, as `#rrggbb`. @default "#000000" */
  background?: string;
  /** Transition between photos. `none` is a hard cut. See `/docs/transitions` for previews. @default "fade" */
  transition?: "none" | "fade" | "fadeblack" | "fadewhite" | "fadegrays" | "fadefast" | "fadeslow" | "dissolve" | "distance" | "pixelize" | "hblur" | "wipeleft" | "wiperight" | "wipeup" | "wipedown" | "wipetl" | "wipetr" | "wipebl" | "wipebr" | "smoothleft" | "smoothright" | "smoothup" | "smoothdown" | "diagtl" | "diagtr" | "diagbl" | "diagbr" | "slideleft" | "slideright" | "slideup" | "slidedown" | "coverleft" | "coverright" | "coverup" | "coverdown" | "revealleft" | "revealright" | "revealup" | "revealdown" | "circleopen" | "circleclose" | "circlecrop" | "rectcrop" | "vertopen" | "vertclose" | "horzopen" | "horzclose" | "radial" | "zoomin" | "squeezeh" | "squeezev" | "star" | "heart" | "diamond" | "plus" | "hexagon" | "ringsin" | "ringsout" | "corners" | "keyhole" | "clock" | "clockccw" | "clockdouble" | "fan" | "pinwheel" | "spiralin" | "spiralout" | "hlslice" | "hrslice" | "vuslice" | "vdslice" | "hlwind" | "hrwind" | "vuwind" | "vdwind" | "blindsh" | "blindsv" | "blindsdiag" | "zigzagh" | "zigzagv" | "wavesh" | "wavesv" | "glitch" | "checker" | "randomsquares" | "noise" | "clouds" | "polkadots" | "bricks" | "matrixrain" | "whipleft" | "whipright" | "whipup" | "whipdown" | "spin" | "spinccw" | "zoomblurin" | "zoomblurout" | "flash" | "lightleak";
  /** Duration of each transition in seconds; at most half the duration of the shorter of the two photos. @default 1 */
  transition_duration?: number;
  /** Public https:// URL of the music; if it is a video, its audio is used, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  audio_url?: Source;
  /** Length of the output with music. `video`: as long as the photos; shorter music is repeated, longer music fades out. `audio`: as long as the music; the photos are shown accordingly. `shortest`: as long as the shorter of the two. @default "video" */
  length_policy?: "video" | "audio" | "shortest";
  /** Seed for the directions of `drift` and `ken_burns`. The same seed gives the same movement. @default 0 */
  seed?: number;
  /** Quality of the video. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger. @default "high" */
  quality?: "low" | "medium" | "high" | {
    /** Constant quality: lower is better and larger. Up to 51 for h264 and hevc, up to 63 for vp9 and av1. */
    crf: number;
  } | {
    /** Average bitrate of the video in kilobits per second; up to 100000 for av1. */
    video_bitrate_kbps: number;
  };
  /** Video codec of the output. `auto` uses h264, or vp9 in webm. @default "auto" */
  codec?: "auto" | "h264" | "hevc" | "vp9" | "av1";
  /** Container format of the output. @default "mp4" */
  format?: "mp4" | "mov" | "webm" | "mkv";
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface FrameLastInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url: Source;
  /** Take the frame this many seconds before the end of the video. @default 0 */
  epsilon?: number;
  /** Width in pixels, rounded down to an even number. */
  width?: number;
  /** Height in pixels, rounded down to an even number. */
  height?: number;
  /** How the picture is fitted if both `width` and `height` are given. `contain` shows the whole picture without bars, `cover` fills the size and crops the rest, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept. @default "contain" */
  fit?: "contain" | "cover" | "stretch";
  /** Quality of jpeg and webp, from 1 to 100. png is always lossless. @default 90 */
  quality?: number;
  /** Picture format of the output. @default "jpeg" */
  format?: "jpeg" | "png" | "webp";
  /** If the frame is black, use the nearest earlier frame that is not. @default false */
  skip_black?: boolean;
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface FrameInput {
  /** Public https:// URL of the source video, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  video_url: Source;
  /** Times in seconds. Give either `timestamps` or `count`. */
  timestamps?: (number | string)[];
  /** Number of evenly spaced frames. Give either `count` or `timestamps`. */
  count?: number;
  /** Width in pixels, rounded down to an even number. */
  width?: number;
  /** Height in pixels, rounded down to an even number. */
  height?: number;
  /** How the picture is fitted if both `width` and `height` are given. `contain` shows the whole picture without bars, `cover` fills the size and crops the rest, `stretch` ignores the aspect ratio. With one side alone, the aspect ratio is kept. @default "contain" */
  fit?: "contain" | "cover" | "stretch";
  /** Quality of jpeg and webp, from 1 to 100. png is always lossless. @default 90 */
  quality?: number;
  /** Picture format of the output. @default "jpeg" */
  format?: "jpeg" | "png" | "webp";
  /** If the frame is black, use the nearest earlier frame that is not. @default false */
  skip_black?: boolean;
  /** Return one contact sheet instead of separate pictures. @default false */
  sheet?: boolean;
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

export interface ProbeInput {
  /** Public https:// URL of the source, `upload:<upload_id>` for a file that you uploaded, or `task:<task_id>` for the main file of one of your tasks (the new task waits for it to end). */
  url: Source;
  /** Count frames and keyframes even if more than 64 MB have to be read for that: of a source without an index that describes its frames, such as Matroska, WebM, AVI, MPEG-TS, MP4 in fragments, or MP4 with VP9 or MPEG-4 Part 2. @default false */
  count_frames?: boolean;
  /** Also measure the loudness. This decodes the whole audio track. @default false */
  loudness?: boolean;
  /** Public https:// URL that receives a webhook when this task ends, signed using Standard Webhooks. */
  callback_url?: string;
  /** Up to 16 string values of your own, returned with the task. @default {} */
  metadata?: Record<string, string>;
  /** Validate the request and probe the sources without producing any files. The completed task describes the planned output in `plan`. @default false */
  dry_run?: boolean;
  /** File name of the download, sanitized for all file systems; by default the name of the operation. The extension is set by the output format; a known extension in the name, such as `.mp4`, is replaced. */
  output_name?: string;
}

/** The request of each operation. */
export interface OperationInputs {
  cut: CutInput;
  crop: CropInput;
  transcode: TranscodeInput;
  remux: RemuxInput;
  silence_process: SilenceProcessInput;
  edit_by_text: EditByTextInput;
  speed: SpeedInput;
  merge_urls: MergeUrlsInput;
  timeline: TimelineInput;
  redub: RedubInput;
  redub_tts: RedubTtsInput;
  redub_vc: RedubVcInput;
  captions_auto: CaptionsAutoInput;
  transcribe: TranscribeInput;
  separate: SeparateInput;
  visualize: VisualizeInput;
  photo_animate: PhotoAnimateInput;
  frame_last: FrameLastInput;
  frame: FrameInput;
  probe: ProbeInput;
}

/** `data` in the result of each operation. */
export interface OperationResults {
  cut: CutData;
  crop: CropData;
  transcode: TranscodeData;
  remux: RemuxData;
  silence_process: SilenceProcessData;
  edit_by_text: EditByTextData;
  speed: SpeedData;
  merge_urls: MergeUrlsData;
  timeline: TimelineData;
  redub: RedubData;
  redub_tts: RedubTtsData;
  redub_vc: RedubVcData;
  captions_auto: CaptionsAutoData;
  transcribe: TranscribeData;
  separate: SeparateData;
  visualize: VisualizeData;
  photo_animate: PhotoAnimateData;
  frame_last: FrameLastData;
  frame: FrameData;
  probe: ProbeData;
}

export type OperationName = keyof OperationInputs;
