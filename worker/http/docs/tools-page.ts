import { html } from 'hono/html';
import { page } from './shell.ts';

/** The tools that run in the browser. */
export const tools = [
  {
    path: '/tools/mp4-to-mp3',
    title: 'MP4 to MP3',
    summary:
      'Converts video and audio files to MP3 on your device. No file is uploaded, and no account is needed.',
  },
] as const;

/** `/tools`: what people can use without an account. */
export function toolsPage(): Promise<string> {
  const main = html`<h1>Tools</h1>
<p class="lead">Free tools that run in your browser.</p>
${tools.map(
  ({ path, title, summary }) => html`<h2><a href="${path}">${title}</a></h2>
<p>${summary}</p>
`,
)}`;
  return page({ title: 'Tools · Spool', path: '/tools', main });
}
