import { z } from 'zod';
import { features, planOf } from '../../../schema/api/plans.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { invalidFields, type Problem, parseInput } from '../../lib/problem.ts';
import { accountUsageOf } from '../../services/account/account-usage.ts';
import { capabilitiesNow } from '../../services/docs/capabilities.ts';
import { inputSchema } from '../../services/docs/input-schema.ts';
import { jsonResult } from '../task-result.ts';
import { didYouMeanTool } from './did-you-mean-tool.ts';
import { operationAliases, operationNamed } from './operation-tools.ts';
import { readOnly, type Tool } from './tool.ts';

const anyObject = { type: 'object' as const };
const noFields = { type: 'object' as const, properties: {} };

const describeInput = z.strictObject({ operation: z.string().min(1).max(100) });

const describeOperation: Tool = {
  listed: {
    name: 'describe_operation',
    title: 'Describe operation',
    description:
      'Get every field of a tool with its range and default, more examples and its errors. Use it for fields that the tool does not list. Returns a JSON Schema.',
    inputSchema: {
      type: 'object',
      properties: { operation: { type: 'string', description: 'Tool, such as cut_video' } },
      required: ['operation'],
    },
    outputSchema: anyObject,
    annotations: readOnly,
  },
  async call(_, args) {
    const asked = parseInput(describeInput, args).operation;
    const name = operationNamed(asked);
    if (name === null) throw unknownOperation(asked);
    const { tool, path, title, description, feature, data, errors, examples } = operations[name];
    return jsonResult({
      tool: tool.name,
      operation: name,
      path,
      title,
      description,
      plan_feature: feature,
      input: inputSchema(name),
      output_data: z.toJSONSchema(data),
      errors,
      examples,
      next_step: `Call ${tool.name} with the fields you need.`,
    });
  },
};

function unknownOperation(asked: string): Problem {
  const names = operationNames.map((name) => operations[name].tool.name);
  const nearest = didYouMeanTool(asked, operationAliases);
  const known = nearest === '' ? ` The tools are ${names.map((name) => `\`${name}\``).join(', ')}.` : nearest;
  const detail = `/operation: there is no tool of this name.${known}`;
  return invalidFields([{ pointer: '/operation', code: 'unknown_operation', detail }]);
}

const listCapabilities: Tool = {
  listed: {
    name: 'list_capabilities',
    title: 'List capabilities',
    description:
      'Find out which tools your plan includes, which speech, voice and separation engines are available, and which formats are read and written. For the fields of a tool use describe_operation.',
    inputSchema: noFields,
    outputSchema: anyObject,
    annotations: readOnly,
  },
  async call({ context, principal }, args) {
    parseInput(z.strictObject({}), args);
    const { engine, engines, formats } = await capabilitiesNow(context);
    const included: readonly string[] = planOf(principal.plan).features;
    return jsonResult({
      tools: operationNames.map((name) => {
        const { tool, summary, feature } = operations[name];
        return {
          name: tool.name,
          summary,
          in_your_plan: included.includes(feature),
          feature: features[feature],
        };
      }),
      media_engine: engine,
      engines: engines.map(({ id, title, capabilities, languages, available, reason, get }) => ({
        ...{ id, title, capabilities, languages, available },
        ...(available ? {} : { reason, get }),
      })),
      formats,
      resources: ['spool://voices', 'spool://transitions', 'spool://presets'],
      next_step: 'Call a tool that is in your plan. Voices, transitions and presets are resources.',
    });
  },
};

const getAccount: Tool = {
  listed: {
    name: 'get_account',
    title: 'Get account',
    description:
      'Get the plan of the account, its limits and what is in use, such as after rate_limited or queue_full. Returns the account.',
    inputSchema: noFields,
    outputSchema: anyObject,
    annotations: readOnly,
  },
  async call({ context, principal }, args) {
    parseInput(z.strictObject({}), args);
    const { body } = await accountUsageOf(context, principal);
    const next_step =
      body.subscription === 'active'
        ? 'Call a tool. Above a limit, tools return an error that says how long to wait.'
        : 'Tell the user that the subscription must be renewed before tasks can be created.';
    return jsonResult({ ...body, next_step });
  },
};

export const serviceTools: Tool[] = [describeOperation, listCapabilities, getAccount];
