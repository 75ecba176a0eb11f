import { logText } from '../../guard/log-text.ts';

export { errorText } from '../../guard/log-text.ts';

/** What every line has of its own cannot be given as a field. */
type LogFields = Record<string, string | number | boolean | null | undefined> & {
  level?: never;
  event?: never;
  time?: never;
};

/** One JSON line an event; Workers observability indexes the fields. Texts lose what no log may hold. */
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
