import { renderReasons } from '../../../../schema/operations/fields/spans.ts';
import { operationNames, operations } from '../../../../schema/operations/index.ts';
import { operationPath } from '../paths.ts';
import { code, markdown, table } from '../print/block.ts';
import type { DocPage } from './doc-page.ts';

/** A cut between keyframes, drawn with one letter for each frame. */
const picture = `source   K..........K..........K..........K..........
cut            [----------------------------]
output         rrrrrrK..........K..........rr
               |     |                     |
               |     copied                re-encoded: cut
               re-encoded: cut`;

/** The first reason: a cut between keyframes. */
const [edge] = Object.keys(renderReasons);

const able = operationNames
  .filter((name) => 'spans' in operations[name].data.shape)
  .map((name) => `[${operations[name].title}](${operationPath(name)})`)
  .join(', ');

export const rendering: DocPage = {
  path: '/docs/rendering',
  title: 'Copied and re-encoded',
  summary: 'Which parts of a video keep their packets, which are re-encoded, and why.',
  body: () => [
    markdown(
      `Decoding can only start at a keyframe. An exact cut between two keyframes needs new frames only up to the next one; everything else keeps the packets of the source, unchanged. \`output.data.spans\` lists the parts of the result in order, as does \`plan.data.spans\` of a [dry run](/docs/requests#dry-runs), before anything is done. These operations return it: ${able}.`,
    ),
    code('text', 'K is a keyframe, r a re-encoded frame, a dot a frame that is copied', picture),
    code(
      'json',
      'The same cut in output.data.spans',
      JSON.stringify(
        [
          { out: [0, 0.24], frames: 6, copied: false, rendered_because: edge },
          { out: [0.24, 1.12], frames: 22, copied: true, rendered_because: null },
          { out: [1.12, 1.2], frames: 2, copied: false, rendered_because: edge },
        ],
        null,
        2,
      ),
    ),
    markdown('## Reasons'),
    table(
      ['rendered_because', 'meaning'],
      Object.entries(renderReasons).map(([name, text]) => [`\`${name}\``, text]),
    ),
  ],
};
