import { logText } from '../../guard/log-text.ts';

export { errorText } from '../../guard/log-text.ts';

/** Fields that every line sets itself cannot be passed. */
type LogFields = Record<string, string | number | boolean | null | undefined> & {
  level?: never;
  event?: never;
  time?: never;
};

/** Writes one JSON line per event; Workers observability indexes the fields. Secrets and parameters are removed from texts. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? logText(value) : value,
  ]);
  const own = { level, event, time: new Date().toISOString() };
  const line = JSON.stringify({ ...own, ...Object.fromEntries(shown), ...own });
  if (level === 'error') console.error(line);
  else if (level === 'warn') console.warn(line);
  else console.log(line);
}
