import { z } from 'zod';
import { errorCodes } from './errors.ts';

export const errorCode = z.enum(errorCodes).meta({ id: 'ErrorCode' });

/** An error response, RFC 9457 `application/problem+json`. */
export const problem = z
  .strictObject({
    type: z.url().meta({ description: 'Where this error is documented.' }),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'The path of the request.' }),
    code: errorCode,
    request_id: z.string(),
    retryable: z.boolean(),
    errors: z
      .array(
        z.strictObject({
          pointer: z.string().meta({ description: 'JSON pointer (RFC 6901) of the field.' }),
          code: z.string(),
          detail: z.string(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Problem' });

export type Problem = z.output<typeof problem>;
export type FieldError = NonNullable<Problem['errors']>[number];
