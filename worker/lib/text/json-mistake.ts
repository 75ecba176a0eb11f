/** Where a text stops being JSON (RFC 8259), and what to do about it if the character there shows it. */
interface JsonMistake {
  /** Index of the first character that is wrong; the length of the text if it only ends too early. */
  at: number;
  advice: string | null;
}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const literal = /(?:true|false|null)(?![A-Za-z0-9_])/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Where a match of a sticky expression that begins here ends; null without one. */
function endOf(pattern: RegExp, text: string, from: number): number | null {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** What was last read, which decides what may follow. */
type After = 'start' | '{' | '[' | 'key' | ':' | ',' | 'value';

/** The first mistake in a text that `JSON.parse` refuses. */
export function jsonMistake(text: string): JsonMistake {
  /** The brackets that are open. */
  const open: ('{' | '[')[] = [];
  let after: After = 'start';
  let at = 0;
  for (;;) {
    at = endOf(space, text, at) ?? at;
    const next = text[at];
    const inObject = open.at(-1) === '{';
    const wantsKey: boolean = after === '{' || (after === ',' && inObject);
    if (next === undefined) return { at, advice: null };
    if (after === 'value') {
      if (open.length === 0) return { at, advice: 'Send one JSON object and nothing after it.' };
      if (next === ',') after = ',';
      else if (next === (inObject ? '}' : ']')) open.pop();
      else return { at, advice: `Put a comma or \`${inObject ? '}' : ']'}\` before it.` };
      at += 1;
    } else if (after === 'key') {
      if (next !== ':') return { at, advice: 'Put a colon between a name and its value.' };
      after = ':';
      at += 1;
    } else if ((next === '}' && after === '{') || (next === ']' && after === '[')) {
      open.pop();
      after = 'value';
      at += 1;
    } else if (next === '"') {
      const string = stringEnd(text, at);
      if (typeof string !== 'number') return string;
      after = wantsKey ? 'key' : 'value';
      at = string;
    } else if (wantsKey) {
      return { at, advice: adviceFor(text, at, after, 'Names need double quotes.') };
    } else if (next === '{' || next === '[') {
      open.push(next);
      after = next;
      at += 1;
    } else {
      const end = endOf(literal, text, at) ?? endOf(number, text, at);
      if (end === null) return { at, advice: adviceFor(text, at, after, null) };
      after = 'value';
      at = end;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether a character stands for itself in a string. False behind the end of the text. */
const isPlain = (code: number) => code >= 0x20 && code !== QUOTE && code !== BACKSLASH;

/** The index behind a string that begins here, or what is wrong in it. */
function stringEnd(text: string, start: number): number | JsonMistake {
  let at = start + 1;
  for (;;) {
    while (isPlain(text.charCodeAt(at))) at += 1;
    const next = text[at];
    if (next === '"') return at + 1;
    if (next === undefined) return { at, advice: null };
    if (next !== '\\') return { at, advice: 'Write a line break in a string as \\n and a tab as \\t.' };
    const end = endOf(escaped, text, at);
    if (end === null) return { at, advice: 'Write a backslash in a string as \\\\.' };
    at = end;
  }
}

/**
 * Where a name stands in an object of a valid JSON text that has it already. Parsers differ in which of two values counts, so what one
 * has checked is not what another one reads.
 * @returns null if no object has a name twice
 */
export function repeatedName(text: string): number | null {
  /** The names of each open object; null for a list. */
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  for (let at = 0; at < text.length; at++) {
    const next = text[at];
    if (next === '{' || next === '[') {
      names = next === '{' ? new Set() : null;
      open.push(names);
    } else if (next === '}' || next === ']') {
      open.pop();
      names = null;
    } else if (next === ',') names = open.at(-1) ?? null;
    else if (next === '"') {
      const end = Number(stringEnd(text, at));
      if (names !== null) {
        const quoted = text.slice(at, end);
        const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
        if (names.has(name)) return at;
        names.add(name);
        names = null;
      }
      at = end - 1;
    }
  }
  return null;
}

const escapes = /\\(?:u([0-9a-fA-F]{4})|.)/g;
const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000;

/**
 * Where half of a surrogate pair is escaped in a valid JSON text without the other half, as in an emoji that was cut in two. UTF-8 cannot
 * hold it, so databases and files would have another character.
 * @returns null if no character is halved
 */
export function halvedCharacter(text: string): number | null {
  let high: number | null = null;
  for (const { 1: digits, index } of text.matchAll(escapes)) {
    const unit = digits === undefined ? 0 : Number.parseInt(digits, 16);
    const completes = high !== null && index === high + 6 && isLow(unit);
    if (high !== null && !completes) return high;
    if (isLow(unit) && !completes) return index;
    high = isHigh(unit) ? index : null;
  }
  return high;
}

const words = /[A-Za-z]{1,9}/y;

/** Advice for a character that begins neither a value nor a name. */
function adviceFor(text: string, at: number, after: After, otherwise: string | null): string | null {
  const next = text[at] ?? '';
  if (after === ',' && (next === '}' || next === ']')) return 'Remove the comma before it.';
  if (next === '\0') return 'Send the JSON in UTF-8, not in UTF-16.';
  if (next === "'") return 'Strings and names need double quotes.';
  if (next === '/' || next === '#') return 'JSON has no comments.';
  const end = endOf(words, text, next === '-' ? at + 1 : at);
  const word = end === null ? '' : text.slice(at, end).toLowerCase();
  if (['nan', 'infinity', '-infinity'].includes(word))
    return 'JSON has no NaN and no Infinity. Leave the field out.';
  if (['true', 'false', 'null', 'none', 'undefined'].includes(word))
    return 'Use true, false or null, in lower case.';
  return otherwise;
}
