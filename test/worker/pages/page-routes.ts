import { fileURLToPath } from 'node:url';
import { fill } from '../../security/routes.ts';

export interface PageRoute {
  method: 'get' | 'post';
  path: string;
  access: 'anyone' | 'person' | 'member' | 'owner';
  fresh?: true;
  formBytes?: number;
}

// By its address, because tests are checked without the types of the Workers runtime.
export const { pages } = (await import(
  fileURLToPath(new URL('../../../worker/pages/routes.ts', import.meta.url))
)) as {
  pages: readonly PageRoute[];
};

/** The path of a page with values for its parameters. */
export const pathOf = ({ path }: PageRoute, values: Record<string, string>) =>
  fill(path, (name) => values[name] ?? '');

export const titleOf = ({ method, path }: PageRoute) => `${method.toUpperCase()} ${path}`;
