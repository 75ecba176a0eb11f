import { html } from 'hono/html';
import type { Html } from '../docs/shell.ts';

const bitrates = [128, 160, 192, 224, 256, 320];
const usual = 192;
/** By the setting of LAME, what music takes on average. */
const variable = { v0: 245, v2: 190, v4: 165 };
const sampleRates = [48000, 44100, 32000];

/** What all files of the list have in common. */
export function settingsForm(): Html {
  return html`<fieldset class="settings">
<legend>Settings for all files</legend>
<label>Bitrate <select id="bitrate">${bitrates.map((rate) =>
    rate === usual
      ? html`<option value="${rate}" selected>${rate} kbit/s</option>`
      : html`<option value="${rate}">${rate} kbit/s</option>`,
  )}${Object.entries(variable).map(
    ([setting, rate]) =>
      html`<option value="${setting}">Variable (${setting.toUpperCase()}), about ${rate} kbit/s</option>`,
  )}</select></label>
<label>Channels <select id="channels"><option value="source">As in the file</option><option value="stereo">Stereo</option><option value="mono">Mono</option></select></label>
<label>Sample rate <select id="rate"><option value="source">As in the file</option>${sampleRates.map(
    (rate) => html`<option value="${rate}">${rate / 1000} kHz</option>`,
  )}</select></label>
</fieldset>`;
}

/** A file of the list; the script fills it. */
export function fileRow(): Html {
  return html`<template id="row"><li>
<h3 data-part="name"></h3>
<p class="about"><span data-part="about"></span> · <span data-part="state"></span></p>
<progress max="1" value="0" hidden></progress>
<div class="failure" data-part="failure" hidden>
<p><strong data-part="what"></strong></p>
<p data-part="next"></p>
<p>Spool’s API converts nearly every file, on a server: <a href="#api">see how</a>.</p>
</div>
<audio controls preload="metadata" hidden></audio>
<div class="actions">
<button type="button" data-do="convert" hidden>Convert</button>
<button type="button" data-do="cancel" hidden>Cancel</button>
<button type="button" class="main" data-do="save" hidden>Save</button>
<button type="button" data-do="remove">Remove</button>
</div>
<details hidden>
<summary>Options</summary>
<div class="options">
<label>Sound track <select data-field="track"></select></label>
<label>Title <input data-field="title" autocomplete="off"></label>
<label>Artist <input data-field="artist" autocomplete="off"></label>
<label>Cover <select data-field="cover"><option value="none">None</option><option value="source">From the file</option><option value="frame">A frame of the video</option></select></label>
<label data-part="cover-at" hidden>Time of the frame <input data-field="cover-at" inputmode="decimal" autocomplete="off"></label>
<img class="wide" alt="" hidden>
<canvas class="wide" aria-hidden="true"></canvas>
<label>Start <input data-field="from" inputmode="decimal" autocomplete="off"></label>
<label>End <input data-field="to" inputmode="decimal" autocomplete="off"></label>
<label>Start, by slider <input type="range" data-field="from-slider" min="0" step="0.05" value="0"></label>
<label>End, by slider <input type="range" data-field="to-slider" min="0" step="0.05" value="0"></label>
</div>
</details>
</li></template>`;
}
