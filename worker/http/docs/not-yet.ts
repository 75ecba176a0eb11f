import { html } from 'hono/html';

/** Instead of clips: `npm start` makes them after it is ready. */
export const notYet = html`<p role="status">The clips of this page are not there yet. If this service was started a moment ago, they are being made:
reload the page in a minute.</p>`;
