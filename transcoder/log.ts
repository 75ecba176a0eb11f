import { logText, logValue } from '../guard/log-text.ts';

/** Reserves the keys that every line sets itself. */
type LogFields = Record<string, unknown> & { time?: never; level?: never; message?: never };

/** Structured logs: one JSON object per line. `with` binds fields to all lines of the returned log. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Log;
}

/** Texts are redacted: no parameters, no path or query of a URL, no secrets. */
export function jsonLog(
  bound: LogFields = {},
  write: (line: string) => void = (line) => process.stdout.write(line),
): Log {
  const at = (level: string) => (message: string, fields?: LogFields) => {
    const shown = logValue({ ...bound, ...fields }) as LogFields;
    const own = { time: new Date().toISOString(), level, message: logText(message) };
    write(`${JSON.stringify({ ...own, ...shown, ...own })}\n`);
  };
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => jsonLog({ ...bound, ...fields }, write),
  };
}
