import { z } from 'zod';
import { parseInput } from '../lib/problem.ts';

const named = z.looseObject({ name: z.string().meta({ description: 'Name.' }) });
const task = z.looseObject({ taskId: z.string() });

/** The parameters of the methods, as far as the SDK would refuse them in its own words. */
const shapes: Record<string, z.ZodType> = {
  'tools/call': named.extend({ arguments: z.record(z.string(), z.unknown()).optional() }),
  'prompts/get': named.extend({ arguments: z.record(z.string(), z.string()).optional() }),
  'resources/read': z.looseObject({ uri: z.string().min(1) }),
  'completion/complete': z.looseObject({
    ref: z.union([
      z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
      z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    ]),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
    context: z.looseObject({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
  }),
  'tasks/get': task,
  'tasks/update': task,
  'tasks/cancel': task,
};

/** Checks the parameters of a message whose method we know. @throws Problem validation_failed */
export function checkMessage(message: unknown): void {
  if (typeof message !== 'object' || message === null) return;
  const { method, params }: { method?: unknown; params?: unknown } = message;
  const shape = typeof method === 'string' && Object.hasOwn(shapes, method) ? shapes[method] : undefined;
  if (shape) parseInput(shape, params ?? {});
}
