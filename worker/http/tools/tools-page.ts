import { html } from 'hono/html';
import { operationNames } from '../../../schema/operations/index.ts';
import { page } from '../docs/shell.ts';
import { stageHead } from '../docs/stage.ts';
import { operationList, toolPath } from './tool-list.ts';

/** The tools that run in the browser. */
const inBrowser = [
  {
    path: '/tools/mp4-to-mp3',
    title: 'MP4 to MP3',
    summary:
      'Converts video and audio files to MP3 on your device. No file is uploaded, and no account is needed.',
  },
] as const;

/** Paths of all tools. */
export const toolPaths = [...inBrowser.map(({ path }) => path), ...operationNames.map(toolPath)];

const description =
  'Tools that edit video, audio and photos: free ones in your browser, and one request to an API for the rest.';

/** `/tools`: what people can use without an account, and what the API does. */
export function toolsPage(publicUrl: string): Promise<string> {
  const main = html`<h1>Tools</h1>
<h2 id="browser"><a href="#browser">In your browser, free</a></h2>
<ul class="operations">
${inBrowser.map(
  ({ path, title, summary }) => html`<li><a href="${path}">${title}</a> <span>${summary}</span></li>
`,
)}</ul>
<h2 id="api"><a href="#api">Through the API</a></h2>
${operationList(operationNames)}`;
  return page({
    ...{ title: 'Tools · Spool', path: '/tools', main, head: stageHead },
    about: { publicUrl, description },
  });
}
