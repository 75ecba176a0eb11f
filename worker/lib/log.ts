export type LogFields = Record<string, string | number | boolean | null | undefined>;

/** One JSON line a happening; Workers observability indexes the fields. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const line = JSON.stringify({ level, event, time: new Date().toISOString(), ...fields });
  if (level === 'error') console.error(line);
  else if (level === 'warn') console.warn(line);
  else console.log(line);
}

/** The whole of an error, for logs only. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `; cause: ${errorText(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
