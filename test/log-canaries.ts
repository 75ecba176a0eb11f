import { randomBytes } from 'node:crypto';

/** A token that stands where a secret may stand; no log line may hold it. */
export const makeCanary = () => `canary${randomBytes(8).toString('hex')}`;

const CANARY = /canary[0-9a-f]{16}/i;
/** Secrets of this test file that have another shape. */
const secrets = new Set<string>();

/** No log line may hold these from now on. */
export function keepOutOfLogs(...values: string[]): void {
  for (const value of values) secrets.add(value);
}

/** The lines that hold a secret or a canary. */
export function leaksIn(lines: readonly string[]): string[] {
  return lines.filter((line) => CANARY.test(line) || [...secrets].some((secret) => line.includes(secret)));
}

/** Throws where a line holds a secret: every service and every transcoder of the tests ends with it. */
export function expectNoLeaks(lines: readonly string[], whose: string): void {
  const leaks = leaksIn(lines);
  if (leaks.length > 0)
    throw new Error(`${leaks.length} log lines of ${whose} hold a secret, such as: ${leaks[0]}`);
}
