import { z } from 'zod';
import { nearestField } from '../../../schema/api/nearest-field.ts';
import { didYouMean } from '../../../schema/api/nearest-name.ts';
import { otherOperationNames } from '../../../schema/api/other-operation-names.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import { wrongLanguage } from '../../../schema/media/spoken-language.ts';
import { languageTagNear } from '../../../schema/media/voices.ts';
import { wrongSource, wrongTime } from '../../../schema/operations/fields/fields.ts';
import { timeNear } from '../../../schema/operations/fields/time-near.ts';
import { operationNames } from '../../../schema/operations/index.ts';
import { sourceAdvice } from '../../../schema/task/source-advice.ts';
import { wrongMoment } from '../../../schema/task/task-list.ts';
import {
  allowedText,
  alternativesOf,
  countText,
  fieldNames,
  innerNames,
  ownRule,
  type QuotedKind,
  schemaAt,
  takesKind,
  valueNames,
  valuesText,
} from '../schema-at.ts';
import { valueNear } from './near-value.ts';
import { quotedKind, shownText, shownValue } from './shown-value.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Suggestions cost time in proportion to the number of names, and a body may have thousands of wrong ones. */
const MOST_SUGGESTIONS = 20;
/** An object with more fields than this is not listed in a message. */
const MOST_FIELDS = 40;

export function pointer(path: Path): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** How a sentence refers to a field: its JSON pointer, or "The request". */
function subject(path: Path): string {
  if (path.length === 0) return 'The request';
  const whole = pointer(path);
  return whole.length <= 120 && !/[^\x21-\x7e]/.test(whole) ? whole : shownText(whole);
}

const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`);

/**
 * Converts zod issues to messages for callers: which field, what is wrong with its value, what is allowed, and the nearest name
 * for a misspelt one. Issues come from a parse with {@link ownMessages}.
 */
export function fieldErrors(
  root: z.ZodType,
  body: unknown,
  issues: readonly Issue[],
  most: number,
): FieldError[] {
  const errors: FieldError[] = [];
  const named = new Set<string>();
  for (const issue of issues) {
    // A rule between fields reports the whole object, even if its path names one field.
    const own = issue.code === 'custom' ? { ...issue, input: valueAt(body, issue.path) } : issue;
    for (const one of unfolded(own)) {
      if (errors.length >= most) return errors;
      for (const error of described(root, one, { most, before: errors.length })) {
        if (errors.length >= most) return errors;
        // An empty text breaks every rule for its field; the first one says enough.
        if (named.has(error.pointer)) continue;
        errors.push(error);
        named.add(error.pointer);
      }
    }
  }
  return errors;
}

function valueAt(body: unknown, path: Path): unknown {
  let value = body;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[part];
  return value;
}

/** Leaves the message of an issue empty unless our schema sets one. */
export const ownMessages = { reportInput: true, error: () => '' } as const;

/** The issues of the alternative of a union that was probably meant, if they say more than the union does. */
function unfolded(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const isOther = (inner: Issue) =>
    inner.path.length === 0 && (inner.code === 'invalid_type' || inner.code === 'invalid_value');
  const objects = issue.errors.filter((errors) => !errors.some(isOther));
  // Of several objects, the only one that has all of the given fields.
  const fitting = objects.filter((errors) => !errors.some(({ code }) => code === 'unrecognized_keys'));
  const [meant, ...others] = fitting.length === 1 ? fitting : objects;
  if (!meant || others.length > 0) return [issue];
  const inner = meant.flatMap(unfolded);
  if (!inner.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys')) return [issue];
  return inner.slice(0, MOST_SUGGESTIONS).map((each) => ({ ...each, path: [...issue.path, ...each.path] }));
}

/** @param most Errors that are wanted. @param before How many errors precede these. */
function described(
  root: z.ZodType,
  issue: Issue,
  { most, before }: { most: number; before: number },
): FieldError[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const schema = schemaAt(root, path);
    const names = fieldNames(schema);
    const inner = innerNames(schema);
    return issue.keys.slice(0, most).map((key, index) => ({
      pointer: pointer([...path, key]),
      code: 'unknown_field',
      detail: unknownField([...path, key], names, before + index < MOST_SUGGESTIONS, inner),
    }));
  }
  const suggest = before < MOST_SUGGESTIONS;
  return [{ pointer: pointer(path), code: kindOf(issue), detail: detailOf(root, issue, suggest) }];
}

/** The kind of mistake in our own words, which do not change with the library that validates. */
function kindOf(issue: Issue): string {
  const { code, input, message } = issue;
  // A rule between fields may name one that is absent; it is missing only if the rule asks for it.
  if (input === undefined && (code !== 'custom' || message.startsWith('Give '))) return 'required';
  if (code === 'too_small' || code === 'too_big') return code;
  if (code !== 'invalid_type') return 'invalid_value';
  // A number that is not whole, or not finite, has the right type.
  return typeof input === 'number' && ['number', 'int'].includes(issue.expected) ? 'invalid_value' : code;
}

/** The message for an unknown field, with the nearest known name. */
export function unknownField(
  path: Path,
  names: readonly string[],
  suggest = true,
  inner: readonly string[] = [],
): string {
  const within = path.length > 1 ? `a field of ${subject(path.slice(0, -1))}` : 'a field of this request';
  const text = `${subject(path)} is not ${within}.`;
  const nearest = suggest ? nearestField(String(path.at(-1)), names, inner) : null;
  if (nearest !== null) return `${text} Did you mean \`${nearest}\`?`;
  if (!suggest || names.length === 0 || names.length > MOST_FIELDS) return text;
  return `${text} The fields are ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

function detailOf(root: z.ZodType, issue: Issue, suggest: boolean): string {
  const { path, message, input } = issue;
  const schema = schemaAt(root, path);
  const name = subject(path);
  const parent = path.length > 0 ? schemaAt(root, path.slice(0, -1)) : undefined;
  const wrong = (must: string) =>
    `${name} ${must}${butIs(input, path)}.${hint(schema, parent, issue, suggest)}`;
  if (input === undefined && issue.code.startsWith('invalid_'))
    return `${name} is required: ${message === '' ? `give ${allowedText(schema)}` : message.replace(/^must be/, 'give')}.`;
  if (message.startsWith('must ')) return wrong(message);
  if (/^[a-z]/.test(message)) return `${name} ${sentence(message)}`;
  if (message !== '') return `${name}: ${sentence(message)}`;
  const rule = ownRule(schema);
  if (rule !== null) return wrong(rule);
  switch (issue.code) {
    case 'too_small':
    case 'too_big':
      return sized(schema, issue, name) ?? wrong(`must be ${allowedText(schema)}`);
    case 'not_multiple_of':
      return wrong(`must be a multiple of ${issue.divisor}`);
    case 'invalid_value':
      return wrong(`must be ${valuesText(issue.values)}`);
    case 'invalid_key':
      return `${subject(path.slice(0, -1))} has a field name that is not allowed, ${shownText(String(path.at(-1)))}: ${keyRule(issue)}.`;
    default:
      return wrong(`must be ${allowedText(schema)}`);
  }
}

/** A length or number of items as a count with its unit. */
function sized(
  schema: Parameters<typeof countText>[0],
  issue: Extract<Issue, { code: 'too_small' | 'too_big' }>,
  name: string,
): string | null {
  const { input } = issue;
  if (typeof input !== 'string' && !Array.isArray(input)) return null;
  const unit = typeof input === 'string' ? 'character' : 'item';
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  const count = countText(schema, unit) || `${bound} ${unit}${bound.endsWith(' 1') ? '' : 's'}`;
  return `${name} must have ${count}; it ${input.length === 0 ? 'is empty' : `has ${input.length}`}.`;
}

function keyRule(issue: Extract<Issue, { code: 'invalid_key' }>): string {
  const [inner] = issue.issues;
  if (inner?.code === 'too_big') return `use at most ${inner.maximum} characters`;
  return inner?.code === 'too_small' ? `use at least ${inner.minimum} character` : 'use another name';
}

function butIs(input: unknown, path: Path): string {
  const value = shownValue(input, path.at(-1));
  return value === null ? '' : `; it is ${value}`;
}

type MaybeSchema = Parameters<typeof valueNames>[0];

const quotedNames: Record<QuotedKind, string> = {
  object: 'object',
  list: 'list',
  number: 'number',
  boolean: 'value',
};

/** Values of too many fields to point to one. */
const commonValues = new Set(['auto', 'none', 'all', 'keep', 'default']);
const withUnit = /^([-+]?\d{1,9}(?:\.\d{1,6})?)\s?(?:x|p|px|fps|db|kbps|lufs)$/i;

/** What a text that is no allowed value was probably meant to be: a number without its unit, a similar value, or one of another field. */
function meantValue(given: string, schema: MaybeSchema, parent: MaybeSchema): string {
  const number = withUnit.exec(given)?.[1];
  if (number !== undefined && schema && z.safeParse(schema, Number(number)).success)
    return ` Did you mean ${Number(number)}?`;
  const names = valueNames(schema);
  const operation = otherOperationNames.get(given.toLowerCase());
  if (operation !== undefined && operationNames.every((name) => names.includes(name)))
    return ` Did you mean \`${operation}\`?`;
  const near = didYouMean(given, names);
  if (near !== '' || commonValues.has(given)) return near;
  const others = fieldNames(parent).filter((name) =>
    valueNames(schemaAt(parent as z.ZodType, [name])).includes(given),
  );
  return others.length === 1 ? ` ${shownText(given)} is a value of \`${others[0]}\`.` : '';
}

/** Whether a text would be right without its quotes; of an object or list, its parts may have mistakes of their own. */
function unquotes(schema: z.core.$ZodType, kind: QuotedKind, text: string): boolean {
  if (!takesKind(schema, kind)) return false;
  return kind === 'object' || kind === 'list' || z.safeParse(schema, JSON.parse(text)).success;
}

/** The nearest allowed value of this field, or the nearest field name of this object. */
function hint(
  schema: MaybeSchema,
  parent: MaybeSchema,
  { input, message, path }: Issue,
  suggest: boolean,
): string {
  if (!suggest) return '';
  const takes = (value: unknown) => schema !== undefined && z.safeParse(schema, value).success;
  if (input === null)
    return typeof path.at(-1) === 'string' && takes(undefined) ? ' Leave it out instead.' : '';
  if (Array.isArray(input))
    return input.length === 1 && takes(input[0]) ? ' Send the value itself, without a list around it.' : '';
  if (input !== undefined && schema && takesKind(schema, 'list') && takes([input]))
    return ' Put it in a list, in square brackets.';
  const near = typeof input === 'string' || typeof input === 'number' ? valueNear(input, takes) : null;
  if (near !== null) return ` Did you mean "${near}"?`;
  const quoted = typeof input === 'string' ? quotedKind(input) : null;
  if (typeof input === 'string' && quoted !== null && schema && unquotes(schema, quoted, input))
    return ` Send the ${quotedNames[quoted]} itself, without quotes around it.`;
  if (typeof input === 'string' && message === wrongLanguage) {
    const tag = input.length > 64 ? null : languageTagNear(input);
    return tag === null ? '' : ` Did you mean \`${tag}\`?`;
  }
  if (typeof input === 'string' && message === wrongSource) {
    const advice = sourceAdvice(input);
    return advice === null ? '' : ` ${advice}`;
  }
  if (typeof input === 'string' && message.endsWith(wrongTime)) {
    const seconds = timeNear(input);
    const allowed = schema !== undefined && seconds !== null && z.safeParse(schema, seconds).success;
    return allowed ? ` Did you mean ${seconds}?` : '';
  }
  // In a query string, a + is a space.
  if (message === wrongMoment && typeof input === 'string' && / \d\d:?\d\d$/.test(input))
    return ' Write the + before the time zone as %2B.';
  if (typeof input === 'string') return meantValue(input, schema, parent);
  if (typeof input !== 'object') return '';
  const names = fieldNames(schema);
  const unknown = Object.keys(input).slice(0, MOST_SUGGESTIONS);
  for (const key of unknown) {
    const nearest = names.includes(key) ? null : nearestField(key, names);
    if (nearest !== null) return ` ${shownText(key)} is not a field of it. Did you mean \`${nearest}\`?`;
  }
  const objects = (schema ? alternativesOf(schema) : []).filter((each) => fieldNames(each).length > 0);
  if (objects.length > 1 && unknown.length > 1 && unknown.every((key) => names.includes(key)))
    return ` Give only one of ${unknown.map((key) => `\`${key}\``).join(' and ')}.`;
  return '';
}
