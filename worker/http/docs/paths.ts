import type { ErrorCode } from '../../../schema/api/errors.ts';
import type { OperationName } from '../../../schema/operations/index.ts';

export const anchorOf = (name: OperationName) => name.replaceAll('_', '-');
export const operationPath = (name: OperationName) => `/docs/operations/${anchorOf(name)}`;
export const errorPath = (code: ErrorCode) => `/docs/errors/${code}`;
