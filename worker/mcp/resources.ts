import {
  type ReadResourceRequest,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { captionPresets } from '../../schema/media/caption-presets.ts';
import { photoPresets } from '../../schema/media/photo-presets.ts';
import { visualStyles } from '../../schema/media/visual-styles.ts';
import { operations } from '../../schema/operations/index.ts';
import { invalidFields, Problem } from '../lib/problem.ts';
import { capabilitiesNow } from '../services/docs/capabilities.ts';
import { findTask } from '../services/tasks/find-task.ts';
import { taskView } from '../services/tasks/task-view.ts';
import type { McpRequest } from './mcp-request.ts';
import { shownProblem } from './problem-result.ts';
import { taskResult } from './task-result.ts';

type Content = Record<string, unknown>;

interface Served extends Omit<Resource, 'uri' | 'mimeType'> {
  read(request: McpRequest): Promise<Content>;
}

const JSON_TYPE = 'application/json';
const ENGINES_TTL_MS = 5 * 60 * 1000;

const served: Record<string, Served> = {
  'spool://voices': {
    name: 'voices',
    title: 'Voices',
    description: `Voices that ${operations.redub_tts.tool.name} speaks with, by engine and language, and whether the engine is available.`,
    async read({ context }) {
      const { engines, voices } = await capabilitiesNow(context);
      const available = new Map(engines.map((engine) => [engine.id, engine.available]));
      return {
        voices: voices.map((voice) => ({ ...voice, available: available.get(voice.engine) ?? null })),
      };
    },
  },
  'spool://transitions': {
    name: 'transitions',
    title: 'Transitions',
    description: `Transitions of ${operations.merge_urls.tool.name} and ${operations.photo_animate.tool.name}, each with a preview clip.`,
    async read({ context }) {
      const { transitions } = await capabilitiesNow(context);
      return { transitions };
    },
  },
  'spool://presets': {
    name: 'presets',
    title: 'Presets and styles',
    description:
      'Caption presets, photo movements, visualizer styles and voice presets, each with what it looks or sounds like.',
    async read({ context }) {
      const { voice_presets } = await capabilitiesNow(context);
      const entries = (presets: Readonly<Record<string, string>>) =>
        Object.entries(presets).map(([id, description]) => ({ id, description }));
      const styles = Object.entries(visualStyles).map(([id, { title }]) => [id, title]);
      return {
        [operations.captions_auto.tool.name]: entries(captionPresets),
        [operations.photo_animate.tool.name]: entries(photoPresets),
        [operations.visualize.tool.name]: entries(Object.fromEntries(styles)),
        [operations.redub_vc.tool.name]: voice_presets,
      };
    },
  },
};

/** Resources that every account has. */
export const resources: Resource[] = Object.entries(served).map(([uri, { read: _, ...resource }]) => ({
  uri,
  ...resource,
  mimeType: JSON_TYPE,
}));

const TASK = 'spool://task/';

export const taskTemplate: ResourceTemplateType = {
  uriTemplate: `${TASK}{id}`,
  name: 'task',
  title: 'Task',
  description: 'A task of the account: its status, and its result or error.',
  mimeType: JSON_TYPE,
};

/** @throws ResourceNotFoundError */
export async function readResource(
  request: McpRequest,
  { params: { uri } }: ReadResourceRequest,
): Promise<ReadResourceResult> {
  const resource = Object.hasOwn(served, uri) ? served[uri] : undefined;
  if (resource) {
    const cache = { ttlMs: ENGINES_TTL_MS, cacheScope: 'public' as const };
    return { contents: [content(uri, await resource.read(request))], ...cache };
  }
  const task = uri.startsWith(TASK) ? await readTask(request, uri.slice(TASK.length)) : null;
  if (task) return { contents: [content(uri, task)] };
  const problem = uri.startsWith(TASK) ? new Problem('task_not_found') : unknownResource();
  const error = new ResourceNotFoundError(uri, problem.message);
  Object.assign(error.data as object, shownProblem(problem, request.requestId));
  throw error;
}

function unknownResource(): Problem {
  const known = resources.map(({ uri }) => uri).join(', ');
  const detail = `There is no resource at this address. The resources are ${known} and ${taskTemplate.uriTemplate}.`;
  return invalidFields([{ pointer: '/uri', code: 'unknown_resource', detail }]);
}

async function readTask({ context, principal }: McpRequest, id: string): Promise<Content | null> {
  const task = await findTask(context, principal.accountId, id);
  return task && (taskResult(await taskView(context.config, task)).structuredContent as Content);
}

const content = (uri: string, value: Content) => ({ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) });
