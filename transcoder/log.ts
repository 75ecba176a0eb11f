export type LogFields = Record<string, unknown>;

/** Structured logs: one JSON object a line. `with` binds fields to every line that follows. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  with(fields: LogFields): Log;
}

export function jsonLog(
  bound: LogFields = {},
  write: (line: string) => void = (line) => process.stdout.write(line),
): Log {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    write(
      `${JSON.stringify({ time: new Date().toISOString(), level, message, ...bound, ...plain(fields) })}\n`,
    );
  return {
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => jsonLog({ ...bound, ...fields }, write),
  };
}

function plain(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? describeError(value) : value,
    ]),
  );
}

function describeError(error: Error): LogFields {
  const { cause } = error;
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    ...(cause === undefined ? {} : { cause: cause instanceof Error ? describeError(cause) : String(cause) }),
  };
}
