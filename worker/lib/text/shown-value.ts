import { logText } from '../../../guard/log-text.ts';
import type { QuotedKind } from '../schema-at.ts';

const MAX_CHARACTERS = 60;
/** Escaping and shortening URLs to their host change the length of a text; this much of it is read. */
const MAX_READ = 200;
/** A longer string is not looked at. */
const MAX_JSON = 100_000;

/** Fields whose values are never shown; `keywords` are no keys. */
const secretName = /key(?!words)|secret|token|password|authorization/i;

/** Invisible characters, and those that change how others are read. */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;

const escaped = (text: string) =>
  JSON.stringify(text).replace(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Quotes a caller's text: shortened, escaped, without secrets, and URLs reduced to their host. */
export function shownText(text: string): string {
  const characters = [...logText(text.slice(0, MAX_READ))];
  const long = characters.length > MAX_CHARACTERS || text.length > MAX_READ;
  return escaped(long ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : characters.join(''));
}

/** What a string contains as JSON: clients that encode a request twice send its objects and lists so. */
export function kindOfJson(text: string): 'object' | 'list' | null {
  if (text.length > MAX_JSON || !/^\s*[{[]/.test(text)) return null;
  try {
    return Array.isArray(JSON.parse(text)) ? 'list' : 'object';
  } catch {
    return null;
  }
}

/** What a string contains as JSON, numbers and truth values included. */
export function quotedKind(text: string): QuotedKind | null {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text)) return 'number';
  return text === 'true' || text === 'false' ? 'boolean' : kindOfJson(text);
}

/** The value of a field, phrased to follow "it is"; null if it must not be shown. */
export function shownValue(value: unknown, field: PropertyKey | undefined): string | null {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (field !== undefined && secretName.test(String(field))) return null;
  const quoted = typeof value === 'string' ? kindOfJson(value) : null;
  if (quoted !== null) return `a string with ${quoted === 'list' ? 'a list' : 'an object'} in it`;
  if (typeof value === 'string' && value.includes('://'))
    return URL.canParse(value) ? 'a URL' : 'not a valid URL';
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string ${shownText(value)}`;
  return String(value).slice(0, MAX_CHARACTERS);
}
