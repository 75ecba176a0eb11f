import type { JsonSchema } from '../../worker/http/docs/component-schemas.ts';

/** Names of schemas, by their references. */
const nameOf = (ref: string) => ref.split('/').at(-1) ?? '';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tuples longer than this are printed as arrays. */
const LONGEST_TUPLE = 4;

/**
 * Prints a JSON Schema as an exported TypeScript declaration.
 * @param sources whether text in the format `uri` is media to read, which the client also takes as a file
 */
export function declarationOf(name: string, schema: JsonSchema, sources: (field: string) => boolean): string {
  const printer = new TypePrinter(sources);
  const text = printer.typeOf(schema, '', '');
  const comment = commentOf(schema, '');
  if (schema.properties) return `${comment}export interface ${name} ${text}`;
  return `${comment}export type ${name} = ${text};`;
}

class TypePrinter {
  readonly #sources: (field: string) => boolean;

  constructor(sources: (field: string) => boolean) {
    this.#sources = sources;
  }

  /** @param field the property that has this type, also for the items of its list */
  typeOf(schema: JsonSchema, field: string, indent: string): string {
    if (schema.$ref) return nameOf(schema.$ref);
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.anyOf) return this.#union(schema.anyOf, field, indent);
    if (Array.isArray(schema.type))
      return schema.type.map((type) => this.#plain({ ...schema, type }, field, indent)).join(' | ');
    return this.#plain(schema, field, indent);
  }

  #union(branches: readonly unknown[], field: string, indent: string): string {
    const types = branches.filter(isSchema).map((branch) => this.typeOf(branch, field, indent));
    return [...new Set(types)].join(' | ');
  }

  #plain(schema: JsonSchema, field: string, indent: string): string {
    switch (schema.type) {
      case 'integer':
        return 'number';
      case 'string':
        return schema.format === 'uri' && this.#sources(field) ? 'Source' : 'string';
      case 'array':
        return this.#array(schema, field, indent);
      case 'object':
        return this.#object(schema, indent);
      default:
        return typeof schema.type === 'string' ? schema.type : 'unknown';
    }
  }

  #array({ prefixItems, items, minItems, maxItems }: JsonSchema, field: string, indent: string): string {
    if (prefixItems)
      return `[${prefixItems
        .filter(isSchema)
        .map((item) => this.typeOf(item, field, indent))
        .join(', ')}]`;
    const item = isSchema(items) ? this.typeOf(items, field, indent) : 'unknown';
    if (minItems !== undefined && minItems === maxItems && minItems <= LONGEST_TUPLE)
      return `[${Array(minItems).fill(item).join(', ')}]`;
    return `${/[ |]/.test(item) ? `(${item})` : item}[]`;
  }

  #object({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
    if (!properties) {
      const value = isSchema(additionalProperties)
        ? this.typeOf(additionalProperties, '', indent)
        : 'unknown';
      return `Record<string, ${value}>`;
    }
    const inner = `${indent}  `;
    const lines = Object.entries(properties)
      .filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
      .map(([key, property]) => {
        const name = `${/^[a-z_]\w*$/i.test(key) ? key : JSON.stringify(key)}${required.includes(key) ? '' : '?'}`;
        return `${commentOf(property, inner)}${inner}${name}: ${this.typeOf(property, key, inner)};`;
      });
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
}

/** The description and default of a schema as a doc comment; empty if there is neither. */
function commentOf({ description, default: fallback }: JsonSchema, indent: string): string {
  const parts = [description, fallback === undefined ? undefined : `@default ${JSON.stringify(fallback)}`];
  const text = parts.filter((part) => part !== undefined).join(' ');
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
}
