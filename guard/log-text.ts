/** Longer texts are cut, to keep log lines readable and the regular expressions below fast. */
const MAX_CHARACTERS = 8000;

/** drizzle appends this to a failed statement, followed by values from the caller's request. */
const SQL_PARAMETERS = '\nparams: ';
/** Only scheme and host of a URL are kept: user information, path and query can each contain a token. */
const ADDRESS =
  /\b(?!file:)([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^/?#\s"'<>]*@)?([^/?#\s"'<>)\]}]*)([^\s"'<>]*)/gi;
const QUERY = /(?<=[\w/])\?[\w.~%+-]{1,64}=[^\s"'<>]*/g;
/** `JSON.parse` quotes its input in the error message. */
const QUOTED_JSON = /(?:\.\.\.)?"[\s\S]{0,80}?"(?:\.\.\.)? is not valid JSON/g;
const NAMED =
  /\b((?:[\w-]{0,40}[-_])?(?:api-?key|secret|token|password|signature|authorization|cookie|elevenlabs-key))(["']?\s{0,3}[:=]\s{0,3}["']?)(?:(?:bearer|basic)\s+)?[^\s"',;}]+/gi;
const SHAPES: readonly RegExp[] = [
  /\bspool_live_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /\b[sr]k_\w{8,}/g,
  /\bv1,[\w+/=-]{16,}/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\b[0-9a-f]{32,}\b/gi,
];

/**
 * Removes SQL parameters, everything of a URL except its host, and anything that looks like a secret by shape or name.
 */
export function logText(text: string): string {
  const [statement = ''] = text.split(SQL_PARAMETERS, 1);
  let shown = statement.slice(0, MAX_CHARACTERS);
  shown = shown.replace(ADDRESS, (_, scheme: string, host: string, rest: string) =>
    rest === '' || rest === '/' ? scheme + host : `${scheme}${host}/…`,
  );
  shown = shown.replace(QUERY, '?…').replace(QUOTED_JSON, '… is not valid JSON').replace(NAMED, '$1$2…');
  for (const shape of SHAPES) shown = shown.replace(shape, '…');
  return shown;
}

/** An error with its stack and its causes, redacted for the log. */
export function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return logText(String(error));
  const { name, message, stack = '', cause } = error;
  // The stack repeats the message, which may itself span lines. Everything after it is stack frames.
  const at = stack.indexOf(message);
  const frames =
    at === -1
      ? ''
      : stack
          .slice(at + message.length)
          .split('\n')
          .filter((line) => /^ {4}at /.test(line))
          .join('\n');
  const shown = `${name}: ${logText(message)}${frames === '' ? '' : `\n${logText(frames)}`}`;
  return cause === undefined || depth >= 4 ? shown : `${shown}; cause: ${errorText(cause, depth + 1)}`;
}

/** Redacts every string inside a log value. */
export function logValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return logText(value);
  if (value instanceof Error) return errorText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 6) return '…';
  if (Array.isArray(value)) return value.map((item) => logValue(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, logValue(item, depth + 1)]));
}
