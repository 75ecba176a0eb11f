import { html } from 'hono/html';
import { slug } from '../../lib/text/slug.ts';
import type { Html } from '../docs/shell.ts';
import { figureAt, type Place, type Results } from './results.ts';

interface Difference {
  title: string;
  /** Of the section of `bench/RESULTS.md` from which all figures of this entry are. */
  section: string;
  figure: Omit<Place, 'section'>;
  unit: string;
  /** @param figure Another figure of the same section. */
  text: (figure: (place: Omit<Place, 'section'>) => string) => string;
}

const merged = { row: ['GOP 2 s'] };

/** What is different about this service, each with its measurement. No figure is written here. */
const differences: readonly Difference[] = [
  {
    title: 'Cuts copy',
    section: 'Exact cuts',
    figure: { row: ['together'], column: 'ratio' },
    unit: '× less CPU',
    text: (figure) =>
      `than encoding the range with libx264 veryfast, and still exact to the frame. ${figure({ table: 1, row: ['together'], column: 'ratio' })}× where keyframes are rare. Only frames at the edges are rendered.`,
  },
  {
    title: 'Merges copy, too',
    section: 'Clips merged',
    figure: { ...merged, column: 'ratio (demanded: 10)' },
    unit: '× less CPU',
    text: (figure) =>
      `than ffmpeg’s xfade with libx264 veryfast, for three clips with fades. Their joints have a PSNR of ${figure({ ...merged, column: 'PSNR of a joint, dB (demanded: 40)' })} dB, with the quality of the pictures around them; ffmpeg’s have ${figure({ ...merged, column: 'of ffmpeg’s' })} dB.`,
  },
  {
    title: 'Little is read',
    section: 'Sources at a distance',
    figure: { row: ['/cut of 5 s'], column: 'MB read' },
    unit: ' MB read',
    text: (figure) =>
      `of an MP4 of 1 GB, to cut 5 seconds out of it. It takes ${figure({ row: ['/cut of 5 s'], column: 'POST to completed, s' })} s; ffmpeg takes ${figure({ row: ['/cut of 5 s'], column: 'ffmpeg, s' })} s on the same address.`,
  },
  {
    title: 'Verified and stored',
    section: 'Time of the service itself',
    figure: { row: ['POST to completed'], column: 'ms at p50' },
    unit: ' ms',
    text: (figure) =>
      `at p50 from the request to a verified, stored result, for a cut of 5 seconds of a small video that has no keyframe in them. The bare ffmpeg command, which verifies and stores nothing, takes ${figure({ row: ['bare ffmpeg command'], column: 'ms at p50' })} ms.`,
  },
  {
    title: 'Bad networks are survived',
    section: 'Sources that stumble',
    figure: { row: ['20 %'], column: 'share' },
    unit: ' % completed',
    text: () =>
      'of the tasks, although 20 % of the requests to their sources failed. Reads continue where they broke off.',
  },
  {
    title: 'Your share is yours',
    section: 'Many accounts, few machines',
    figure: { row: ['after', 'basic'], column: 'p99' },
    unit: ' s wait at p99',
    text: (figure) =>
      `for Basic while two accounts flood the service, in a simulation. Without fair shares: ${figure({ row: ['before', 'basic'], column: 'p99' })} s.`,
  },
];

export function differenceList(results: Results): Html {
  return html`<ul class="facts">
${differences.map(({ title, section, figure, unit, text }) => {
  const at = (place: Omit<Place, 'section'>) => figureAt(results, { ...place, section });
  return html`<li><h3>${title}</h3>
<p class="figure"><b>${at(figure)}</b>${unit}</p>
<p>${text(at)}</p>
<p><a href="/docs/benchmarks#${slug(section)}" aria-label="${title}: how it was measured">How it was measured</a></p></li>
`;
})}</ul>
<p class="hint">${standText(results)}</p>`;
}

/** What all of it was measured on. */
function standText({ stand }: Results): string {
  const { Machine, ffmpeg = '', Node, Date: date } = stand;
  const version = ffmpeg.replace(/ Copyright.*/, '');
  return `Measured on ${Machine}, with ${version} and Node ${Node}; printed from the results of ${date}. Figures are rounded to three digits.`;
}
