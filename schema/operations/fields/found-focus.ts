import { z } from 'zod';

/** Where the subject of a picture was found, and by what. */
export const foundFocus = z.strictObject({
  x: z.number().meta({ description: 'From 0 (left) to 1 (right).' }),
  y: z.number().meta({ description: 'From 0 (top) to 1 (bottom).' }),
  by: z.enum(['face', 'saliency', 'center']).meta({
    description:
      'What was found: `face`, `saliency` (something stands out or moves), or `center` (nothing; the middle is used).',
  }),
});
