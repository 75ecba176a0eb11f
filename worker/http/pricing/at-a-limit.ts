import { html } from 'hono/html';
import { noticedLimits, noticedPercents } from '../../../schema/api/noticed-limits.ts';
import { type LimitName, limitNames, planLimits } from '../../../schema/api/plans.ts';
import { errorLink } from '../docs/error-link.ts';
import type { Html } from '../docs/shell.ts';

const outcomes = {
  wait: html`The request is refused with ${errorLink('rate_limited')}, and <code>Retry-After</code> has the seconds to wait.`,
  connected: html`A long poll is answered at once with the task as it is: pause before you ask again. An event stream is refused with ${errorLink('rate_limited')}, and <code>Retry-After</code> has the seconds to wait.`,
  queued: html`The task is queued and starts when another one ends.`,
  full: html`The request is refused with ${errorLink('queue_full')}.`,
  invalid: html`The request is refused with ${errorLink('validation_failed')}, which names the field.`,
  bytes: html`The task fails with ${errorLink('source_too_large')}, before anything is read if the server of the source says how large it is, otherwise once more has arrived.`,
  large: html`The task fails with ${errorLink('source_too_large')}, once the header of the source is read.`,
  long: html`The task fails with ${errorLink('source_too_long')}, once the header of the source is read. A file that is longer than its header says fails while it is processed.`,
  disk: html`The task fails with ${errorLink('source_too_large')} or, if the result does not fit, ${errorLink('output_too_large')}.`,
  side: html`The task fails with ${errorLink('output_too_large')}. If the request gives no size, <code>/frame</code>, <code>/frame/last</code> and <code>/crop</code> with <code>fill</code> <code>pad</code> or <code>blur</code> reduce the picture to the limit instead, with the warning <code>size_reduced</code>.`,
  output: html`The task fails with ${errorLink('output_too_large')}.`,
  storage: html`A new upload is refused with ${errorLink('upload_storage_full')} until others were deleted or have expired.`,
  time: html`The task fails with ${errorLink('timed_out')}. If rendering would clearly take longer, it fails before that with ${errorLink('source_too_long')} or ${errorLink('output_too_large')}.`,
  files: html`The files are deleted, and a download is answered with ${errorLink('output_expired')}.`,
  record: html`The record is deleted, and its address is answered with ${errorLink('task_not_found')}.`,
} as const satisfies Record<string, Html>;

/** What happens at each limit. A limit that is missing here does not compile. */
const outcomeOf: Record<LimitName, keyof typeof outcomes> = {
  creations_per_minute: 'wait',
  polls_per_second: 'wait',
  connections: 'connected',
  running: 'queued',
  waiting: 'full',
  source_bytes: 'bytes',
  source_seconds: 'long',
  source_pixels: 'large',
  source_pixel_seconds: 'large',
  source_streams: 'large',
  source_channels: 'large',
  task_seconds: 'time',
  output_side_px: 'side',
  output_bytes: 'output',
  work_bytes: 'disk',
  upload_bytes: 'storage',
  merge_inputs: 'invalid',
  retention_seconds: 'files',
  record_seconds: 'record',
};

/** Limits with the same outcome share a row. */
export function limitOutcomes(): Html {
  const groups = Map.groupBy(limitNames, (name) => outcomeOf[name]);
  return html`<dl class="outcomes">
${[...groups].map(
  ([
    outcome,
    names,
  ]) => html`<div><dt>${names.map((name) => planLimits[name].doc).join(', ')}</dt><dd>${outcomes[outcome]}</dd></div>
`,
)}</dl>`;
}

/** The limits about which owners get a mail. */
export function noticeText(): string {
  const names = noticedLimits.map((name) => planLimits[name].doc.toLowerCase()).join(' and ');
  return `Owners of the account get a mail at ${noticedPercents.join(' and at ')} % of ${names}, at most once a month for each.`;
}
