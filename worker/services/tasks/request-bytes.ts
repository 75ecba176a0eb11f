import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { MAX_JSON_BYTES } from '../../lib/text/parse-json.ts';

/** Bytes that the JSON of a request may have. */
export function mostBytesOf(name: OperationName): number {
  const operation = operations[name];
  return 'mostBytes' in operation ? operation.mostBytes : MAX_JSON_BYTES;
}

/** Of any operation. */
export const MOST_REQUEST_BYTES = Math.max(...operationNames.map(mostBytesOf));

export const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;
