import { z } from 'zod';
import { errorCodes } from './errors.ts';

export const errorCode = z.enum(errorCodes).meta({ id: 'ErrorCode' });

/** An error response, RFC 9457 `application/problem+json`. */
export const problem = z
  .strictObject({
    type: z.url().meta({ description: 'URL of the documentation of this error.' }),
    title: z.string().meta({ description: 'The error code as a short sentence.' }),
    status: z.number().int().meta({ description: 'HTTP status.' }),
    detail: z.string().meta({ description: 'What is wrong with this request and how to fix it.' }),
    instance: z.string().meta({ description: 'Path of the request.' }),
    code: errorCode,
    request_id: z.string().meta({ description: 'The same as the X-Request-Id header. Quote it to support.' }),
    retryable: z
      .boolean()
      .meta({ description: 'Whether the same request can succeed when it is sent again.' }),
    errors: z
      .array(
        z.strictObject({
          pointer: z.string().meta({ description: 'JSON pointer (RFC 6901) to the field.' }),
          code: z.string().meta({
            description:
              'Kind of mistake, such as `required`, `unknown_field`, `invalid_type`, `invalid_value`, `too_small` or `too_big`.',
          }),
          detail: z.string().meta({ description: 'What is wrong with the field and what is allowed.' }),
        }),
      )
      .optional()
      .meta({ description: 'The fields that are not valid; at most 100.' }),
  })
  .meta({ id: 'Problem' });

export type Problem = z.output<typeof problem>;
export type FieldError = NonNullable<Problem['errors']>[number];
