import { z } from 'zod';
import { type LimitName, limitNames, planNames } from './plans.ts';

const limitShape = Object.fromEntries(limitNames.map((name) => [name, z.number().int()])) as Record<
  LimitName,
  z.ZodNumber
>;

/** A plan with its limits, as callers see it. */
export const planShown = z
  .strictObject({ title: z.string(), ...limitShape, features: z.array(z.string()) })
  .meta({ id: 'PlanLimits' });

export const accountUsage = z
  .strictObject({
    object: z.literal('account'),
    id: z.string(),
    plan: z.enum(planNames),
    subscription: z.enum(['active', 'inactive']),
    limits: planShown,
    used: z.strictObject({
      running: z.number().int().meta({ description: 'Running tasks.' }),
      waiting: z.number().int().meta({ description: 'Queued tasks.' }),
      connections: z.number().int().meta({ description: 'Open long polls and event streams.' }),
      creations_left: z
        .number()
        .int()
        .meta({ description: 'Tasks you can still create in the current window of 60 s.' }),
    }),
  })
  .meta({ id: 'Account' });
