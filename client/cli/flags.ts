import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nearestName } from '../../schema/api/nearest-name.ts';
import { type LocalFile, localFile } from '../src/index.ts';
import { UsageError } from './exit-codes.ts';
import { readText } from './read-text.ts';

/** A field of an operation, as printed from the registry. */
export interface Flag {
  field: string;
  type: string;
  description: string;
  /** Takes a file or a URL. */
  source?: true;
  list?: true;
  /** Takes an object whose values are sources. */
  named?: true;
  /** A flag without a value. */
  boolean?: true;
  /** Text of digits is a number. */
  numeric?: true;
  values?: string[];
}

/** An operation, as printed from the registry. */
export interface Command {
  name: string;
  method: string;
  path: string;
  summary: string;
  required: string[];
  /** What else people call it, with `_` between words. */
  otherNames: string[];
  flags: Flag[];
  examples: { title: string; line: string }[];
}

export type Options = Record<
  string,
  { type: 'string' | 'boolean'; short?: string; multiple?: boolean; about?: string }
>;

/** What `parseArgs` calls the flag of a field: `fade-in` for `fade_in`. */
const optionName = (field: string) => field.replaceAll('_', '-');
export const flagName = (field: string) => `--${optionName(field)}`;

export function optionsOf(command: Command): Options {
  return Object.fromEntries(
    command.flags.map(({ field, boolean, list }) => [
      optionName(field),
      { type: boolean ? 'boolean' : 'string', ...(list ? { multiple: true } : {}) },
    ]),
  );
}

/** Reads a command line. @throws UsageError */
export function readArguments(args: readonly string[], options: Options) {
  try {
    const { tokens, ...read } = parseArgs({
      args: withNegativeNumbers(args, options),
      options,
      allowPositionals: true,
      allowNegative: true,
      tokens: true,
    });
    const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const twice = given.find((name, index) => !options[name]?.multiple && given.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageError(`--${twice} is given twice. Give it once.`);
    return read;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(mistakeOf(error, options));
  }
}

/** What is wrong with a command line, in place of the words of Node. */
function mistakeOf(error: unknown, options: Options): string {
  const text = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '--?([^']+)'/.exec(text)?.[1];
  if (unknown !== undefined) {
    const known = nearestName(unknown, Object.keys(options));
    return `Unknown flag --${unknown}.${known === null ? '' : ` Did you mean --${known}?`}`;
  }
  const flag = /^Option '(?:-\w, )?(--[^' ]+)[^']*'/.exec(text)?.[1];
  if (flag === undefined) return text.split('\n')[0] ?? text;
  if (text.includes('does not take an argument')) return `${flag} takes no value.`;
  return text.includes('ambiguous')
    ? `${flag} needs a value. If it begins with a dash, write ${flag}=VALUE.`
    : `${flag} needs a value.`;
}

/** `--offset -1.5`: a number after a flag with a value is its value. */
function withNegativeNumbers(args: readonly string[], options: Options): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1) ?? '';
    if (/^-[\d.]/.test(arg) && options[last.replace(/^--/, '')]?.type === 'string')
      joined.splice(-1, 1, `${last}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

type Input = Record<string, unknown>;

/** The request of an operation from its flags and the sources given without one. @throws UsageError */
export function inputOf(
  command: Command,
  values: Record<string, unknown>,
  sources: readonly string[],
): Input {
  const input: Input = {};
  for (const flag of command.flags) {
    const value = values[optionName(flag.field)];
    if (value !== undefined) input[flag.field] = flagValue(flag, value);
  }
  return { ...positional(command, sources, input), ...input };
}

/** Where sources without a flag go: all into a list, or one by one into the fields for media. */
function positional(command: Command, sources: readonly string[], given: Input): Input {
  if (sources.length === 0) return {};
  const fields = command.flags.filter(({ source, named, field }) => source && !named && !(field in given));
  const list = fields.find((flag) => flag.list);
  if (list) return { [list.field]: sources.map(sourceOf) };
  const input: Input = {};
  for (const source of sources) {
    const place = placeOf(command, fields, source);
    if (!place) throw new UsageError(`"${source}" is one source too many for spool ${command.name}.`);
    fields.splice(fields.indexOf(place), 1);
    input[place.field] = sourceOf(source);
  }
  return input;
}

const audioFile = /\.(?:mp3|m4a|m4b|wav|flac|ogg|oga|opus|aac|aiff?|wma|amr|caf)$/i;

function placeOf(command: Command, fields: readonly Flag[], source: string): Flag | undefined {
  const needed = fields.find(({ field }) => command.required.includes(field));
  if (needed) return needed;
  const isAudio = audioFile.test(URL.canParse(source) ? new URL(source).pathname : source);
  return (isAudio ? fields.find(({ field }) => field === 'audio_url') : undefined) ?? fields[0];
}

function flagValue(flag: Flag, value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  if (!Array.isArray(value)) return oneValue(flag, String(value));
  const texts = value.map(String);
  const [first = ''] = texts;
  if (texts.length === 1 && !flag.values) {
    const only = oneValue(flag, first);
    return Array.isArray(only) ? only : [only];
  }
  const split = flag.values && !/^\s*\[/.test(first) ? texts.flatMap((text) => text.split(',')) : texts;
  const items = split.map((text) => oneValue(flag, text));
  if (texts.length === 1 && Array.isArray(items[0])) return items[0];
  // Some lists may also be a single value, such as `--stems 2`.
  return items.length === 1 && flag.numeric && typeof items[0] === 'number' && flag.values ? items[0] : items;
}

function oneValue(flag: Flag, given: string): unknown {
  const text = !flag.source && given.startsWith('@') ? textAt(given.slice(1)) : given;
  if (looksLikeJson(flag, text)) return sourcesIn(flag, readJson(flag, text));
  if (flag.source) return sourceOf(text);
  return flag.numeric && /^-?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
}

/** Text that is no JSON may begin like it: `[Live] Night Drive` is a title. */
function looksLikeJson({ type }: Flag, text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  return !type.startsWith('string') || isJson(text);
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function readJson(flag: Flag, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${flagName(flag.field)}: this is not valid JSON: ${text}`);
  }
}

/** Files in JSON, such as `[{"url": "talk.mp4", "start": 3}]` or `{"talk": "talk.mp4"}`. */
function sourcesIn(flag: Flag, value: unknown): unknown {
  if (!flag.source) return value;
  if (typeof value === 'string') return sourceOf(value);
  if (Array.isArray(value)) return value.map((item) => sourcesIn(flag, item));
  if (typeof value !== 'object' || value === null) return value;
  if (flag.named)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, sourcesIn(flag, one)]));
  if (!('url' in value)) return value;
  return { ...value, url: sourcesIn(flag, value.url) };
}

function textAt(path: string): string {
  try {
    return readText(path);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${path} is not in UTF-8. Save it as UTF-8.`);
    throw new UsageError(`${path} cannot be read. After @ comes the path of a text file.`);
  }
}

/** @throws UsageError */
export function sourceOf(text: string): string | LocalFile {
  if (/^(?:https?:\/\/|task:|upload:)/i.test(text)) return text;
  if (!existsSync(text))
    throw new UsageError(`${text}: there is no such file. Give a path, a URL, task:<id> or upload:<id>.`);
  const found = statSync(text);
  if (!found.isFile()) throw new UsageError(`${text} is not a file.`);
  if (found.size === 0) throw new UsageError(`${text} is empty.`);
  return localFile(text);
}
