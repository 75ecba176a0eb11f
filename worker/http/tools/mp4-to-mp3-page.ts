import { html } from 'hono/html';
import { operations } from '../../../schema/operations/index.ts';
import { curlPost } from '../../lib/request-snippets.ts';
import type { ToolFiles } from '../../services/docs/tool-files.ts';
import { codeBlock, type Html, page } from '../docs/shell.ts';
import { fileRow, settingsForm } from './mp4-to-mp3-form.ts';

const path = '/tools/mp4-to-mp3';
const description =
  'Convert MP4 and other video and audio files to MP3 in your browser. No file is uploaded.';

/** `/tools/mp4-to-mp3`: the converter, what it does, and how to check what it says of itself. */
export function mp4ToMp3Page(publicUrl: string, files: ToolFiles | null): Promise<string> {
  const head = files
    ? html`<link rel="manifest" href="${path}/app.webmanifest">
<link rel="stylesheet" href="${path}/${files.style}">
<script type="module" src="${path}/${files.script}"></script>`
    : html``;
  const main = html`<h1>MP4 to MP3</h1>
<p class="lead">Convert video and audio files to MP3. Your files stay on your device: nothing is uploaded, and no account is needed.</p>
${files ? converter() : html`<p>This installation of Spool does not have the converter. The API below does the same.</p>`}
${about()}
${check()}
${forPrograms(publicUrl)}
${credits()}`;
  return page({
    ...{ title: 'MP4 to MP3 · Spool', path, head, main, sealed: true },
    about: { publicUrl, description },
  });
}

function converter(): Html {
  return html`<noscript><p>The converter runs in your browser, so it needs JavaScript. The API below works without it.</p></noscript>
<section id="tool" aria-label="Converter" hidden>
<div id="drop">
<label class="prompt" for="choose">Drop or paste files here, or choose them</label>
<input type="file" id="choose" multiple accept="video/*,audio/*,.mp4,.m4v,.mov,.mkv,.webm,.m4a,.aac,.wav,.ogg,.oga,.opus,.flac,.ts">
<span>MP4, MOV, MKV, WebM, M4A, WAV, OGG, FLAC and more. Any number, any size.</span>
</div>
${settingsForm()}
<div id="work" hidden>
<h2>Files</h2>
<div class="actions">
<button type="button" class="main" id="convert">Convert</button>
<button type="button" id="folder" hidden>Convert into a folder…</button>
<button type="button" id="cancel" hidden>Cancel</button>
<button type="button" id="zip">Save all as ZIP</button>
<button type="button" id="clear">Clear the list</button>
</div>
<p><span id="status" role="status"></span> <span id="left"></span></p>
<ul id="files"></ul>
</div>
${fileRow()}
</section>`;
}

function about(): Html {
  return html`<h2 id="how">What it does</h2>
<ul>
<li><strong>Exact</strong>: what you hear at 1:00 in the video is at 1:00 in the MP3. The MP3 says how many samples the encoder added at
its ends, so players leave them out. If the sound begins late, the MP3 begins with silence.</li>
<li><strong>Copies</strong> sound that is MP3 already, without loss, unless you trim it or change its channels or sample rate.</li>
<li><strong>Encodes</strong> with LAME at a constant bitrate, or at a variable one (VBR) that follows what the sound needs.</li>
<li><strong>Large files</strong> are read piece by piece. “Convert into a folder” writes each MP3 to disk while it is made (Chrome and
Edge).</li>
<li><strong>Offline</strong>: once opened, the page works without a network. Your browser can install it as an app.</li>
<li>Sound with more than two channels is mixed to stereo. Title, artist and the cover of the source are kept if you do not change
them.</li>
</ul>`;
}

function check(): Html {
  return html`<h2 id="check">Check that nothing leaves</h2>
<p>The server forbids this page to send data: its Content-Security-Policy contains <code>connect-src 'none'</code> and
<code>form-action 'none'</code>, and your browser enforces it. To check:</p>
<ul>
<li>Open the developer tools (F12), choose Network, and convert a file. The only request is for the converter itself.</li>
<li>In the console, run the line below. The browser refuses it.</li>
<li>Or switch off the network before you choose a file.</li>
</ul>
${codeBlock('Console', "fetch('/').then(() => 'It was sent', () => 'It was refused').then(alert)")}`;
}

/** The first example of the API that makes sound of a video. */
function forPrograms(publicUrl: string): Html {
  const [example] = Object.values(operations).flatMap(({ path, examples }) =>
    examples.filter(({ input }) => 'audio_only' in input).map(({ input }) => ({ path, input })),
  );
  return html`<h2 id="api">For programs, and for files that a browser cannot decode</h2>
<p>Spool’s API does the same on a server, with FFmpeg, which decodes nearly every format. It reads the source from a URL.
<a href="/docs">Read the reference</a>.</p>
${example ? codeBlock('Request', curlPost(publicUrl, example.path, example.input)) : ''}`;
}

function credits(): Html {
  return html`<h2 id="credits">Credits</h2>
<ul>
<li>MP3 encoder: <a href="https://lame.sourceforge.io/">LAME</a> 3.100, under the
<a href="https://www.gnu.org/licenses/old-licenses/lgpl-2.0.html">GNU Library General Public License</a>. Its source is at
<a href="https://sourceforge.net/projects/lame/files/lame/">sourceforge.net/projects/lame</a>. It is a WebAssembly module inside
the script of the converter, from <a href="https://github.com/arseneyr/wasm-media-encoders">wasm-media-encoders</a> 0.7.0 (MIT License), whose
repository has what it is built with.</li>
<li>Reading files and driving the decoders: <a href="https://mediabunny.dev/">mediabunny</a> 1.61.0, under the
<a href="https://www.mozilla.org/MPL/2.0/">Mozilla Public License 2.0</a>. Its source is at
<a href="https://github.com/Vanilagy/mediabunny">github.com/Vanilagy/mediabunny</a>.</li>
<li>ZIP files: <a href="https://github.com/Touffy/client-zip">client-zip</a>, under the MIT License.</li>
</ul>`;
}
