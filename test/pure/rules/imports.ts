import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../../..');

/** One import: a file of the repository by its path, or a package or built-in by its name. */
interface Import {
  target: string;
  isFile: boolean;
  /** Whether it vanishes when types are removed. */
  typeOnly: boolean;
  /** Whether it is loaded only when its line is reached: `await import()`. */
  lazy: boolean;
}

/** The imports of each file, by its path. */
export type Imports = ReadonlyMap<string, readonly Import[]>;

export function filesUnder(directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((name) => name.endsWith('.ts') || name.endsWith('.tsx'));
}

/** All files with code, with scripts of the set-up. */
export const codeFiles = (): string[] =>
  globSync('*/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|\.\w+)$/.test(path),
  });

export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const STATEMENT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?([^'";]*?)from\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)|(?:^|\n)import\s*'([^']+)'/g;

export function importsOf(file: string, text = textOf(file)): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, type, names = '', from, dynamic, bare]) => {
    const specifier = from ?? dynamic ?? bare ?? '';
    const isFile = specifier.startsWith('.');
    const target = isFile ? relative(root, resolve(root, dirname(file), specifier)) : specifier;
    return { target, isFile, typeOnly: type !== undefined || onlyTypes(names), lazy: dynamic !== undefined };
  });
}

/** Whether each name in the braces of an import is marked as a type. */
function onlyTypes(names: string): boolean {
  const inside = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1];
  const listed = inside?.split(',').flatMap((name) => name.trim() || []) ?? [];
  return listed.length > 0 && listed.every((name) => name.startsWith('type '));
}

export function readImports(directories: readonly string[]): Imports {
  return new Map(directories.flatMap(filesUnder).map((file) => [file, importsOf(file)]));
}

/** Groups of files that import each other in a circle, types included: Tarjan's strongly connected components. */
export function circles(imports: Imports): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    const lower = (other: number | undefined) => low.set(file, Math.min(low.get(file) ?? 0, other ?? 0));
    for (const { target } of imports.get(file) ?? []) {
      if (!imports.has(target)) continue;
      if (!index.has(target)) {
        visit(target);
        lower(low.get(target));
      } else if (stack.includes(target)) lower(index.get(target));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    const [only] = group;
    const itself = imports.get(file)?.some(({ target }) => target === only);
    if (group.length > 1 || itself) found.push(group.sort());
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return found;
}

/** The shortest way by which a file reaches a built-in of Node at run time; null if it reaches none. */
export function wayToNode(imports: Imports, file: string): string[] | null {
  const ways = [[file]];
  const seen = new Set([file]);
  for (const way of ways) {
    for (const { target, typeOnly } of imports.get(way.at(-1) ?? '') ?? []) {
      if (typeOnly || seen.has(target)) continue;
      if (target.startsWith('node:')) return [...way, target];
      seen.add(target);
      ways.push([...way, target]);
    }
  }
  return null;
}

/** The files and packages that are loaded with a file, before anything is asked of it. */
export function reachedAtStart(imports: Imports, file: string): string[] {
  const reached = new Set([file]);
  for (const name of reached) {
    for (const { target, typeOnly, lazy } of imports.get(name) ?? []) {
      if (!typeOnly && !lazy) reached.add(target);
    }
  }
  return [...reached];
}
