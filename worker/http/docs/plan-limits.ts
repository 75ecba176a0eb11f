import {
  type LimitName,
  type LimitUnit,
  limitNames,
  type Plan,
  planLimits,
} from '../../../schema/api/plans.ts';
import { encodeCost, filterCost, readCost, renderBudget } from '../../../schema/api/render-cost.ts';
import {
  addressLimits,
  LIMIT_WINDOW_SECONDS,
  MAX_PENDING_TEST_EVENTS,
} from '../../../schema/api/request-limits.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';

/** A length of time in its largest unit. */
export const seconds = (value: number): string => {
  if (value >= 86_400) return plural(value / 86_400, 'day');
  return value >= 3600 ? plural(value / 3600, 'hour') : plural(value / 60, 'minute');
};

export const plural = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;

const bytes = (value: number) => (value >= 1e9 ? `${value / 1e9} GB` : `${value / 1e6} MB`);

const megapixels = (value: number) => `${Math.round(value / 1e6).toLocaleString('en')} Mpx`;

const titlesOf = (plan: Plan) =>
  operationNames
    .map((name) => operations[name])
    .filter(({ feature }) => plan.features.includes(feature))
    .map(({ title }) => title);

const inWords: Record<LimitUnit, (value: number) => string> = {
  count: String,
  bytes,
  seconds,
  px: (value) => `${value} px`,
  pixels: megapixels,
  pixel_seconds: (value) => `${megapixels(value)} s`,
};

/** A limit of a plan as people read it. */
export const limitText = (name: LimitName, plan: Plan) => inWords[planLimits[name].unit](plan[name]);

/** Every limit of a plan with its title and its formatted value. */
export const limitRows: readonly { title: string; print: (plan: Plan) => string }[] = [
  ...limitNames.map((name) => ({
    title: planLimits[name].doc,
    print: (plan: Plan) => limitText(name, plan),
  })),
  { title: 'Operations', print: (plan) => titlesOf(plan).join(', ') },
  { title: 'Re-encoding of 1080p30 per task', print: encodable },
];

const MEGAPIXELS_A_SECOND = (1920 * 1080 * 30) / 1e6;

/** Other sizes and frame rates scale in proportion; copied packets do not count. */
export function encodable({ task_seconds }: Plan): string {
  const minutes = (cost: number) => {
    const perSecond = MEGAPIXELS_A_SECOND * (readCost + filterCost.default + cost);
    return Math.floor(renderBudget(task_seconds) / perSecond / 60);
  };
  return Object.entries(encodeCost)
    .map(([codec, cost]) => `${codec} ${minutes(cost)} min`)
    .join(', ');
}

/** Explains how requests are counted, in Markdown. */
export const requestLimits = `Every request counts. Requests with a key count against the account, via REST and MCP alike. Attempts to create a task and all other requests are counted separately; each may reach the requests per second of the plan, measured over ${LIMIT_WINDOW_SECONDS} seconds. Each message of an MCP batch is one request. Requests without a key are limited per IP address (IPv6: per /64) to ${addressLimits.public.requests} in ${LIMIT_WINDOW_SECONDS} seconds, and to ${addressLimits.refused.requests} with an invalid key, link or signature. An account can have ${MAX_PENDING_TEST_EVENTS} pending test webhooks. Above a limit, the response is 429 with \`Retry-After\`, \`RateLimit-Policy\` and \`RateLimit\`.`;
