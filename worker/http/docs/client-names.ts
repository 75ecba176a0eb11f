import type { OperationName } from '../../../schema/operations/index.ts';

/** The method of the TypeScript client for an operation: `frame_last` is `frameLast`. */
export const methodName = (name: OperationName) =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The command of an operation: `frame_last` is `frame-last`. */
export const commandName = (name: OperationName) => name.replaceAll('_', '-');

/** The fields of a request are flags: `fade_in` is `--fade-in`. */
export const flagOf = (field: string) => `--${field.replaceAll('_', '-')}`;
