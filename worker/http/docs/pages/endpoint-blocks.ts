import type { Endpoint } from '../endpoint.ts';
import { errorPath } from '../paths.ts';
import { type Block, heading, markdown } from '../print/block.ts';
import { fieldList } from '../print/field-list.ts';
import type { Site } from './doc-page.ts';

export const endpointAnchor = ({ id }: Pick<Endpoint, 'id'>) => `endpoint-${id.replaceAll('_', '-')}`;

const keyTexts = { required: 'Needs a key.', optional: '', none: 'No key needed.' } as const;

/** A section for each endpoint of a tag. */
export const endpointBlocks = ({ endpoints }: Site, tag: string): Block[] =>
  endpoints.filter((endpoint) => endpoint.tag === tag).flatMap(endpointSection);

function endpointSection(endpoint: Endpoint): Block[] {
  const { method, path, summary, description, key, parameters, body, answers, errors } = endpoint;
  const answered = answers.map(({ status, description: text, types }) => {
    const as = types.map((type) => ` \`${type}\``).join('');
    return `- **${status}** ${text}${as}`;
  });
  const refused = errors.map((code) => `[\`${code}\`](${errorPath(code)})`).join(', ');
  return [
    heading(3, endpointAnchor(endpoint), `${method} ${path}`),
    markdown([summary, description, keyTexts[key]].filter((text) => text !== '').join('\n\n')),
    ...(parameters.length === 0 ? [] : [markdown('Parameters and headers:'), fieldList(parameters)]),
    ...(body.length === 0 ? [] : [markdown('Body:'), fieldList(body)]),
    markdown(answered.join('\n')),
    ...(errors.length === 0 ? [] : [markdown(`Errors: ${refused}.`)]),
  ];
}
