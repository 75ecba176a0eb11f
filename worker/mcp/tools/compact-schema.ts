import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { JsonSchema } from '../../services/docs/input-schema.ts';

type Compact = Record<string, unknown>;

/** What a source can be; said once in each tool. */
const SOURCE = 'https URL, task:<id> or upload:<id>';
/** Longer lists of values are left out; `describe_operation` and the resources have them. */
const MOST_VALUES = 12;
/** An object with more fields is only called an object. */
const MOST_FIELDS = 4;

/**
 * The fields that most calls need, as small as `tools/list` can have them: types, values and short texts. What is left out (ranges,
 * defaults, patterns, other fields) is accepted as well, and checked by the service.
 */
export function compactSchema(
  schema: JsonSchema,
  texts: Readonly<Record<string, string>>,
): ListedTool['inputSchema'] {
  let sourceExplained = false;
  const properties = Object.entries(texts).map(([name, text]) => {
    const field = schema.properties?.[name];
    if (typeof field !== 'object') throw new Error(`no field ${name}: correct \`tool.fields\``);
    const explain = !sourceExplained && isSource(field);
    sourceExplained ||= explain;
    return [name, { ...compactField(field), description: explain ? `${text}: ${SOURCE}` : text }];
  });
  const required = schema.required?.filter((name) => name in texts) ?? [];
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Whether the field has the address of a file, or a list of them. */
function isSource(field: JsonSchema): boolean {
  const inner = [field.items, ...(field.anyOf ?? [])].filter(
    (each): each is JsonSchema => typeof each === 'object',
  );
  return field.format === 'uri' || inner.some(isSource);
}

function compactField(field: JsonSchema): Compact {
  if (field.const !== undefined) return { const: field.const };
  const alternatives = alternativesOf(field);
  const [only] = alternatives;
  if (alternatives.length === 1 && only && only !== field) return compactField(only);
  if (alternatives.length > 1) return { anyOf: alternatives.map(compactField) };
  if (field.enum && field.enum.length <= MOST_VALUES) return { type: 'string', enum: field.enum };
  if (field.type === 'array') return { type: 'array', items: compactItems(field.items) };
  if (field.type !== 'object') return field.type ? { type: field.type } : {};
  const entries = Object.entries(field.properties ?? {});
  if (entries.length === 0 || entries.length > MOST_FIELDS) return { type: 'object' };
  const inner = entries.map(([name, each]) => [name, typeof each === 'object' ? compactField(each) : {}]);
  return { type: 'object', properties: Object.fromEntries(inner) };
}

function compactItems(items: JsonSchema['items']): Compact {
  return typeof items === 'object' && !Array.isArray(items) ? compactField(items) : {};
}

/** Without the notations of a value that can be given as a number as well, such as `"00:01:30"`. */
function alternativesOf({ anyOf }: JsonSchema): JsonSchema[] {
  const all = (anyOf ?? []).filter((each): each is JsonSchema => typeof each === 'object');
  const notation = ({ type, title }: JsonSchema) => type === 'string' && title !== undefined;
  const rest = all.filter((each) => !notation(each));
  return rest.length > 0 ? rest : all;
}
