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
  creations_per_minute: { title: 'Creations a minute', print: (plan) => String(plan.creations_per_minute) },
  polls_per_second: { title: 'Requests a second, sustained', print: (plan) => String(plan.polls_per_second) },
  connections: { title: 'Waits and event streams at once', print: (plan) => String(plan.connections) },
  running: { title: 'Tasks running at once', print: (plan) => String(plan.running) },
  waiting: { title: 'Tasks waiting in line', print: (plan) => String(plan.waiting) },
  source_bytes: { title: 'Size of a source', print: (plan) => bytes(plan.source_bytes) },
  source_seconds: { title: 'Duration of a source', print: (plan) => seconds(plan.source_seconds) },
  source_pixels: { title: 'Picture of a source', print: (plan) => megapixels(plan.source_pixels) },
  source_pixel_seconds: {
    title: 'Pictures of a source, times its seconds',
    print: (plan) => `${megapixels(plan.source_pixel_seconds)} s`,
  },
  source_streams: { title: 'Streams of a source', print: (plan) => String(plan.source_streams) },
  source_channels: { title: 'Channels of a sound', print: (plan) => String(plan.source_channels) },
  task_seconds: { title: 'Wall time of a task', print: (plan) => seconds(plan.task_seconds) },
  output_side_px: { title: 'Longest side of a picture', print: (plan) => `${plan.output_side_px} px` },
  output_bytes: { title: 'Size of a file made', print: (plan) => bytes(plan.output_bytes) },
  work_bytes: { title: 'Files of a task at once, sources included', print: (plan) => bytes(plan.work_bytes) },
  merge_inputs: { title: 'Inputs of a merge', print: (plan) => String(plan.merge_inputs) },
  retention_seconds: { title: 'Files are kept', print: (plan) => seconds(plan.retention_seconds) },
  record_seconds: { title: 'Tasks are kept', print: (plan) => seconds(plan.record_seconds) },
  features: { title: 'Operations', print: (plan) => titlesOf(plan).join(', ') },
} as const satisfies Record<Limit, { title: string; print: (plan: Plan) => string }>;

/** Every limit of a plan with its name and its value in words. */
export const limitRows: readonly { title: string; print: (plan: Plan) => string }[] = [
  ...Object.values(rows),
  { title: '1080p30 that one task can re-encode', print: encodable },
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
export const requestLimits = `Every request counts. A request with a key counts against its account, over REST and MCP alike: attempts to create a task apart from all others, each up to the plan's requests a second, measured over ${LIMIT_WINDOW_SECONDS} seconds. Each message of an MCP batch is a request. Requests without a key are limited by address (IPv6: by /64): ${addressLimits.public.requests} in ${LIMIT_WINDOW_SECONDS} seconds, and ${addressLimits.refused.requests} with a wrong key, link or signature. At most ${MAX_PENDING_TEST_EVENTS} test webhooks of an account are pending. Beyond a limit the answer is 429 with \`Retry-After\`, \`RateLimit-Policy\` and \`RateLimit\`.`;
