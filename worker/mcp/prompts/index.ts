import type {
  GetPromptRequest,
  GetPromptResult,
  Prompt as ListedPrompt,
  PromptArgument,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { didYouMean } from '../../../schema/api/nearest-name.ts';
import { invalidFields, parseInput } from '../../lib/problem.ts';
import { assembleClips } from './assemble-clips.ts';
import { cleanPodcast } from './clean-podcast.ts';
import { dubWithScript } from './dub-with-script.ts';
import type { Prompt } from './prompt.ts';
import { verticalShort } from './vertical-short.ts';

export const prompts: readonly Prompt[] = [verticalShort, cleanPodcast, assembleClips, dubWithScript];

export const listedPrompts: ListedPrompt[] = prompts.map(({ name, title, description, fields }) => {
  const { properties = {}, required = [] } = z.toJSONSchema(fields);
  const list = Object.entries(properties).map(([argument, field]): PromptArgument => {
    const text = typeof field === 'object' ? field.description : undefined;
    return { name: argument, description: text, required: required.includes(argument) };
  });
  return { name, title, description, arguments: list };
});

/** @throws Problem validation_failed */
export function promptNamed(name: string): Prompt {
  const found = prompts.find((one) => one.name === name);
  if (found) return found;
  const names = prompts.map((one) => one.name);
  const nearest =
    didYouMean(name, names) || ` The prompts are ${names.map((each) => `\`${each}\``).join(', ')}.`;
  const detail = `There is no prompt of this name.${nearest}`;
  throw invalidFields([{ pointer: '/name', code: 'unknown_prompt', detail }]);
}

/** @throws Problem validation_failed */
export function getPrompt({ params }: GetPromptRequest): GetPromptResult {
  const { fields, description, text } = promptNamed(params.name);
  const args = parseInput(fields, params.arguments ?? {});
  return { description, messages: [{ role: 'user', content: { type: 'text', text: text(args) } }] };
}
