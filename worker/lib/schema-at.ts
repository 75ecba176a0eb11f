import type { z } from 'zod';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def as Def;

/** Unwraps optional, default and transform wrappers of a schema. */
function bareSchema(schema: Schema): Schema {
  const def = defOf(schema);
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return bareSchema(def.innerType);
    case 'pipe':
      return bareSchema(defOf(def.in).type === 'transform' ? def.out : def.in);
    default:
      return schema;
  }
}

/** The alternatives of a union, including nested ones; any other schema is its only alternative. */
export function alternativesOf(schema: Schema): Schema[] {
  const bare = bareSchema(schema);
  const def = defOf(bare);
  return def.type === 'union' ? def.options.flatMap(alternativesOf) : [bare];
}

function childOf(schema: Schema, part: PropertyKey): Schema | undefined {
  const def = defOf(schema);
  if (def.type === 'object') return Object.hasOwn(def.shape, part) ? def.shape[String(part)] : undefined;
  if (def.type === 'record') return def.valueType;
  if (def.type === 'array') return typeof part === 'number' ? def.element : undefined;
  if (def.type === 'tuple') return typeof part === 'number' ? def.items[part] : undefined;
  return undefined;
}

/** The schema of the field at a path; undefined if there is none. */
export function schemaAt(root: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let schema: Schema | undefined = root;
  for (const part of path) {
    if (!schema) return undefined;
    schema = alternativesOf(schema)
      .map((each) => childOf(each, part))
      .find((child) => child !== undefined);
  }
  return schema;
}

/** What a field with several kinds of values says about all of them, such as `must be …`; null if it says nothing. */
export function ownRule(schema: Schema | undefined): string | null {
  const def = schema ? defOf(bareSchema(schema)) : null;
  if (def?.type !== 'union') return null;
  const rule = def.error?.({ code: 'invalid_union', errors: [], input: undefined } as never);
  const text = typeof rule === 'string' ? rule : (rule?.message ?? '');
  return text.startsWith('must ') ? text : null;
}

/** A kind of JSON value that clients put in quotes by mistake. */
export type QuotedKind = 'object' | 'list' | 'number' | 'boolean';

const typesOf: Record<QuotedKind, readonly Def['type'][]> = {
  object: ['object', 'record'],
  list: ['array', 'tuple'],
  number: ['number'],
  boolean: ['boolean'],
};

/** Whether a schema accepts values of a kind. */
export function takesKind(schema: Schema, kind: QuotedKind): boolean {
  const types = typesOf[kind];
  return alternativesOf(schema).some((each) => types.includes(defOf(each).type));
}

/** The allowed field names of an object. */
export function fieldNames(schema: Schema | undefined): string[] {
  if (!schema) return [];
  return alternativesOf(schema).flatMap((each) => {
    const def = defOf(each);
    return def.type === 'object' ? Object.keys(def.shape) : [];
  });
}

/** The fields of the objects in an object, such as `quality.crf`; not of objects in lists. */
export function innerNames(schema: Schema | undefined): string[] {
  return fieldNames(schema).flatMap((name) =>
    fieldNames(schema && schemaAt(schema, [name])).map((inner) => `${name}.${inner}`),
  );
}

/** The allowed values of a text field. */
export function valueNames(schema: Schema | undefined): string[] {
  if (!schema) return [];
  return alternativesOf(schema).flatMap((each) => {
    const def = defOf(each);
    const values =
      def.type === 'enum' ? Object.values(def.entries) : def.type === 'literal' ? def.values : [];
    return values.filter((value) => typeof value === 'string');
  });
}

const listed = (items: readonly string[], word: 'or' | 'and') =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1)}`;

const quoted = (value: unknown) => (typeof value === 'string' ? `\`${value}\`` : String(value));

/** Above this number, a message gives a few examples instead of all values. */
const MOST_LISTED = 30;
const EXAMPLES = 8;

/** Formats alternatives: `` `mp4`, `mov` or `mkv` ``. */
export function valuesText(values: readonly unknown[]): string {
  if (values.length <= MOST_LISTED) return listed(values.map(quoted), 'or');
  const shown = values.slice(0, EXAMPLES).map(quoted).join(', ');
  return `one of the ${values.length} names that \`GET /capabilities\` lists, such as ${shown}`;
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  whole?: boolean;
}

/** The bounds set by the checks of a number, a text or a list. */
function boundsOf(schema: Schema): Bounds {
  const bounds: Bounds = {};
  const atLeast = (value: number) => {
    bounds.minimum = Math.max(bounds.minimum ?? value, value);
  };
  const atMost = (value: number) => {
    bounds.maximum = Math.min(bounds.maximum ?? value, value);
  };
  for (const check of (schema._zod.def.checks ?? []) as z.core.$ZodChecks[]) {
    const { def } = check._zod;
    if (def.check === 'greater_than') atLeast(Number(def.value));
    if (def.check === 'less_than') atMost(Number(def.value));
    if (def.check === 'min_length') atLeast(def.minimum);
    if (def.check === 'max_length') atMost(def.maximum);
    if (def.check === 'number_format') bounds.whole = def.format === 'safeint';
  }
  return bounds;
}

function numberText({ minimum, maximum, whole }: Bounds): string {
  const kind = whole ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${kind} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${kind} of at least ${minimum}`;
  return maximum === undefined ? kind : `${kind} of at most ${maximum}`;
}

/** `1 to 200 characters`, `at most 5 items`; empty without bounds. */
export function countText(schema: Schema | undefined, unit: string): string {
  const { minimum, maximum } = schema ? boundsOf(bareSchema(schema)) : {};
  const units = (count: number) => (count === 1 ? `${count} ${unit}` : `${count} ${unit}s`);
  if (minimum !== undefined && maximum !== undefined)
    return minimum === maximum ? units(minimum) : `${minimum} to ${units(maximum)}`;
  if (minimum !== undefined) return `at least ${units(minimum)}`;
  return maximum === undefined ? '' : `at most ${units(maximum)}`;
}

interface Meta {
  title?: string;
  format?: string;
}

const formatTexts: Record<string, string> = {
  uri: 'an https:// URL',
  date: 'a date such as 2026-11-20',
  datetime: 'an ISO 8601 time such as 2026-11-20T10:00:00Z',
};

const formText = (title: string) => `a string in the form ${title}`;

function textOf(schema: Schema): string {
  const { title, format } = ((schema as z.ZodType).meta() ?? {}) as Meta;
  if (title) return title.startsWith('"') ? formText(title) : title;
  const kind = format ?? (schema._zod.def as { format?: string }).format ?? '';
  const known = formatTexts[kind];
  if (known) return known;
  const count = countText(schema, 'character');
  return count === '' ? 'a string' : `a string of ${count}`;
}

function allowedAlone(schema: Schema): string {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return textOf(schema);
    case 'number':
      return numberText(boundsOf(schema));
    case 'boolean':
      return '`true` or `false`';
    case 'enum':
      return valuesText(Object.values(def.entries));
    case 'literal':
      return valuesText(def.values);
    case 'array': {
      const count = countText(schema, 'item');
      return count === '' ? 'a list' : `a list of ${count}`;
    }
    case 'tuple':
      return `a list of ${def.items.length} items`;
    case 'object': {
      const names = Object.keys(def.shape);
      return names.length > 8 ? 'an object' : `an object with ${listed(names.map(quoted), 'and')}`;
    }
    case 'record':
      return 'an object';
    default:
      return 'another value';
  }
}

/** The allowed values of a field, phrased to follow "must be". */
export function allowedText(schema: Schema | undefined): string {
  if (!schema) return 'another value';
  const { title } = ((schema as z.ZodType).meta() ?? {}) as Meta;
  if (title?.startsWith('"')) return formText(title);
  return listed([...new Set(alternativesOf(schema).map(allowedAlone))], 'or');
}
