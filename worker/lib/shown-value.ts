import { logText } from '../../guard/log-text.ts';

const MAX_CHARACTERS = 60;
/** Escapes, and addresses that are reduced to their host, make a text shorter or longer; this much of it is looked at. */
const MAX_READ = 200;

/** Names of fields whose values are never repeated. */
const secretName = /key|secret|token|password|authorization/i;

/** Characters that are invisible or change how others are read. */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;

const escaped = (text: string) =>
  JSON.stringify(text).replace(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text of a caller in quotes: shortened, escaped, without secrets and without more of an address than its host. */
export function shownText(text: string): string {
  const characters = [...logText(text.slice(0, MAX_READ))];
  const long = characters.length > MAX_CHARACTERS || text.length > MAX_READ;
  return escaped(long ? `${characters.slice(0, MAX_CHARACTERS).join('')}…` : characters.join(''));
}

/** What a field holds, to be put behind "it is". Null for a value that is not to be repeated. */
export function shownValue(value: unknown, field: PropertyKey | undefined): string | null {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (field !== undefined && secretName.test(String(field))) return null;
  if (typeof value === 'string' && value.includes('://'))
    return URL.canParse(value) ? 'a URL' : 'not a valid URL';
  if (typeof value === 'string') return value === '' ? 'an empty string' : `the string ${shownText(value)}`;
  return String(value).slice(0, MAX_CHARACTERS);
}
