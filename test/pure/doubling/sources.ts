import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'vitest/node';

const root = resolve(import.meta.dirname, '../../..');
const parts = ['schema', 'worker', 'transcoder', 'guard'];

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** A node and all below it. They are pushed, as generators in one another would hand each node through all above it. */
function nodesOf(value: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(value)) for (const each of value) nodesOf(each, found);
  if (!isNode(value)) return found;
  found.push(value);
  for (const key in value) if (key !== 'parent') nodesOf(value[key], found);
  return found;
}

export interface SourceFile {
  name: string;
  code: string;
  nodes: Node[];
  exported: Node[];
}

function parsed(name: string, code: string): SourceFile {
  const { body } = parseAst(code, { lang: name.endsWith('x') ? 'tsx' : 'ts' }) as unknown as { body: Node[] };
  const exported = body.filter(({ type }) => type === 'ExportNamedDeclaration');
  return { name, code, nodes: nodesOf(body), exported };
}

/** Every module of what runs in production, parsed. */
export const sourceFiles: SourceFile[] = parts.flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => parsed(`${part}/${name}`, readFileSync(join(root, part, name), 'utf8'))),
);

export interface Expression {
  /** File and source, as a failure names it. */
  at: string;
  expression: RegExp;
}

/** The literal regular expressions of a module, each once. */
export function expressionsOf({ name, nodes }: SourceFile): Expression[] {
  const literals = nodes.flatMap(({ regex }) => (regex ? [regex as { pattern: string; flags: string }] : []));
  const each = new Map(literals.map((regex) => [`${name}: /${regex.pattern}/${regex.flags}`, regex]));
  return [...each].map(([at, { pattern, flags }]) => ({ at, expression: new RegExp(pattern, flags) }));
}

/** Where a module makes expressions of strings. */
export const madeExpressions = ({ name, code, nodes }: SourceFile) =>
  nodes
    .filter(
      ({ type, callee }) => /^(New|Call)Expression$/.test(type) && isNode(callee) && callee.name === 'RegExp',
    )
    .map(({ start, end }) => `${name}: ${code.slice(start, end)}`);

/** Short strings that a module compares with or looks for. */
export const stringsOf = ({ nodes }: SourceFile): string[] =>
  nodes.flatMap(({ type, value }) =>
    type === 'Literal' && typeof value === 'string' && value.length > 0 && value.length <= 8 ? [value] : [],
  );

/** The exported functions of a module with a parameter that is a string. */
export function textFunctions({ name, code, exported }: SourceFile): string[] {
  const takesText = ({ params }: Node) =>
    (params as Node[]).some((param) => {
      const target = (isNode(param.left) ? param.left : param) as Node;
      const annotation = target.typeAnnotation;
      return (
        isNode(annotation) &&
        /^: string( \| (null|undefined))*$/.test(code.slice(annotation.start, annotation.end))
      );
    });
  return exported.flatMap(({ declaration }) => {
    if (!isNode(declaration)) return [];
    const named =
      declaration.type === 'FunctionDeclaration' ? [{ id: declaration.id, made: declaration }] : [];
    const declared = (declaration.declarations ?? []) as { id: Node; init: unknown }[];
    const arrows = declared.map(({ id, init }) => ({ id, made: init }));
    return [...named, ...arrows].flatMap(({ id, made }) => {
      const isFunction = isNode(made) && /Function/.test(made.type);
      return isFunction && takesText(made) ? [`${name}#${(id as Node).name}`] : [];
    });
  });
}
