import type { ErrorCode } from '../../../schema/api/errors.ts';
import type { FieldRow } from './field-rows.ts';

/** A path and method of the OpenAPI document, as shown on the pages. */
export interface Endpoint {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Whether an API key is required; `optional` if another credential also works. */
  key: 'required' | 'optional' | 'none';
  parameters: FieldRow[];
  /** Fields of its JSON body; empty if it has none. */
  body: FieldRow[];
  answers: { status: string; description: string; types: string[] }[];
  errors: ErrorCode[];
}
