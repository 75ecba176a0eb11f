import type { Plan } from '../../../schema/api/plans.ts';
import { encodeCost, filterCost, readCost, renderBudget } from '../../../schema/api/render-cost.ts';
import {
  addressLimits,
  LIMIT_WINDOW_SECONDS,
  MAX_PENDING_TEST_EVENTS,
} from '../../../schema/api/request-limits.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';

type Limit = Exclude<keyof Plan, 'title'>;

const seconds = (value: number): string => {
  if (value >= 86_400) return plural(value / 86_400, 'day');
  return value >= 3600 ? plural(value / 3600, 'hour') : plural(value / 60, 'minute');
};

const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

const bytes = (value: number) => (value >= 1e9 ? `${value / 1e9} GB` : `${value / 1e6} MB`);

const megapixels = (value: number) => `${Math.round(value / 1e6).toLocaleString('en')} Mpx`;

const titlesOf = (plan: Plan) =>
  operationNames
    .map((name) => operations[name])
    .filter(({ feature }) => plan.features.includes(feature))
    .map(({ title }) => title);

const rows = {
  creations_per_minute: {
    title: 'Task creations per minute',
    print: (plan) => String(plan.creations_per_minute),
  },
  polls_per_second: { title: 'Other requests per second', print: (plan) => String(plan.polls_per_second) },
  connections: { title: 'Open long polls and event streams', print: (plan) => String(plan.connections) },
  running: { title: 'Running tasks', print: (plan) => String(plan.running) },
  waiting: { title: 'Queued tasks', print: (plan) => String(plan.waiting) },
  source_bytes: { title: 'Source size', print: (plan) => bytes(plan.source_bytes) },
  source_seconds: { title: 'Source duration', print: (plan) => seconds(plan.source_seconds) },
  source_pixels: { title: 'Pixels per frame of a source', print: (plan) => megapixels(plan.source_pixels) },
  source_pixel_seconds: {
    title: 'Pixels per frame × duration of a source',
    print: (plan) => `${megapixels(plan.source_pixel_seconds)} s`,
  },
  source_streams: { title: 'Streams per source', print: (plan) => String(plan.source_streams) },
  source_channels: { title: 'Channels per audio track', print: (plan) => String(plan.source_channels) },
  task_seconds: { title: 'Processing time per task', print: (plan) => seconds(plan.task_seconds) },
  output_side_px: { title: 'Longest side of the output', print: (plan) => `${plan.output_side_px} px` },
  output_bytes: { title: 'Output file size', print: (plan) => bytes(plan.output_bytes) },
  work_bytes: { title: 'Disk space per task, including sources', print: (plan) => bytes(plan.work_bytes) },
  merge_inputs: { title: 'Clips per merge', print: (plan) => String(plan.merge_inputs) },
  retention_seconds: { title: 'Files kept for', print: (plan) => seconds(plan.retention_seconds) },
  record_seconds: { title: 'Task records kept for', print: (plan) => seconds(plan.record_seconds) },
  features: { title: 'Operations', print: (plan) => titlesOf(plan).join(', ') },
} as const satisfies Record<Limit, { title: string; print: (plan: Plan) => string }>;

/** Every limit of a plan with its name and its value in words. */
export const limitRows: readonly { title: string; print: (plan: Plan) => string }[] = [
  ...Object.values(rows),
  { title: 'Re-encoding of 1080p30 per task', print: encodable },
];

const MEGAPIXELS_A_SECOND = (1920 * 1080 * 30) / 1e6;

/** Other sizes and frame rates in proportion; copied packets do not count. */
function encodable({ task_seconds }: Plan): string {
  const minutes = (cost: number) => {
    const perSecond = MEGAPIXELS_A_SECOND * (readCost + filterCost.default + cost);
    return Math.floor(renderBudget(task_seconds) / perSecond / 60);
  };
  return Object.entries(encodeCost)
    .map(([codec, cost]) => `${codec} ${minutes(cost)} min`)
    .join(', ');
}

/** How requests are counted, in Markdown. */
export const requestLimits = `Every request counts. Requests with a key count against the account, via REST and MCP alike. Attempts to create a task and all other requests are counted separately; each may reach the requests per second of the plan, measured over ${LIMIT_WINDOW_SECONDS} seconds. Each message of an MCP batch is one request. Requests without a key are limited per IP address (IPv6: per /64) to ${addressLimits.public.requests} in ${LIMIT_WINDOW_SECONDS} seconds, and to ${addressLimits.refused.requests} with an invalid key, link or signature. An account can have ${MAX_PENDING_TEST_EVENTS} pending test webhooks. Above a limit, the response is 429 with \`Retry-After\`, \`RateLimit-Policy\` and \`RateLimit\`.`;
