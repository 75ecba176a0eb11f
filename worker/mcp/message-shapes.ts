import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { parseInput } from '../lib/problem.ts';

const named = z.looseObject({ name: z.string().meta({ description: 'Name.' }) });
const task = z.looseObject({ taskId: z.string() });
const list = z.looseObject({ cursor: z.string().optional() });

/** The parameters of the methods, as far as the SDK would refuse them in its own words. */
const shapes: Record<string, z.ZodType> = {
  initialize: z.looseObject({
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  'tools/list': list,
  'resources/list': list,
  'resources/templates/list': list,
  'prompts/list': list,
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
  // The newest revision has no handshake: `initialize` is an unknown method there.
  if (method === 'initialize' && isNewest(params)) return;
  if (shape) parseInput(shape, params ?? {});
}

/** Whether the parameters say by themselves which revision they are in. */
function isNewest(params: unknown): boolean {
  const { _meta } = (params ?? {}) as { _meta?: object };
  return typeof _meta === 'object' && _meta !== null && PROTOCOL_VERSION_META_KEY in _meta;
}
