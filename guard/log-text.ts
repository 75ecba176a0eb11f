/** Longer texts are cut: nobody reads them, and the expressions below stay quick. */
const MAX_CHARACTERS = 8000;

/** What drizzle writes behind a statement: the values of a caller's request. */
const SQL_PARAMETERS = '\nparams: ';
/** Of an address only scheme and host stay: user information, path and query can each be a token. */
const ADDRESS =
  /\b(?!file:)([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^/?#\s"'<>]*@)?([^/?#\s"'<>)\]}]*)([^\s"'<>]*)/gi;
const QUERY = /(?<=[\w/])\?[\w.~%+-]{1,64}=[^\s"'<>]*/g;
/** `JSON.parse` quotes what it was given. */
const QUOTED_JSON = /(?:\.\.\.)?"[\s\S]{0,80}?"(?:\.\.\.)? is not valid JSON/g;
const NAMED =
  /\b((?:[\w-]{0,40}[-_])?(?:api-?key|secret|token|password|signature|authorization|cookie|elevenlabs-key))(["']?\s{0,3}[:=]\s{0,3}["']?)(?:(?:bearer|basic)\s+)?[^\s"',;}]+/gi;
const SHAPES: readonly RegExp[] = [
  /\bspool_live_\w+/g,
  /\bwhsec_[\w+/=-]+/g,
  /\bsk_\w{8,}/g,
  /\bv1,[\w+/=-]{16,}/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
  /\b[0-9a-f]{32,}\b/gi,
];

/** A text for a log: without parameters of SQL, without more of an address than its host, without what is a secret by its shape or name. */
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

/** An error and its causes for a log, with where they were thrown. */
export function errorText(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return logText(String(error));
  const { name, message, stack = '', cause } = error;
  // The stack begins with the message; what follows it are the frames, whatever lines the message has.
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

/** A value of a log line, with every text in it made fit for a log. */
export function logValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return logText(value);
  if (value instanceof Error) return errorText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= 6) return '…';
  if (Array.isArray(value)) return value.map((item) => logValue(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, logValue(item, depth + 1)]));
}
