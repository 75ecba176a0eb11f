import { update } from './update.js';

// Shows how a run goes on.

export const isSignIn = ({ redirected, url }) => redirected && new URL(url).pathname === '/app/sign-in';

export const pageOf = async (response) => new DOMParser().parseFromString(await response.text(), 'text/html');

let waiting;
/** Asks for the state of the task until it has ended, less and less often. */
export function follow({ onShown, onSignedOut, onGone }) {
  clearTimeout(waiting);
  let pause = 500;
  const ask = async () => {
    const { next } = document.getElementById('run').dataset;
    if (!next) return;
    const response = await fetch(next).catch(() => null);
    const page = response && (await pageOf(response).catch(() => null));
    if (document.getElementById('run').dataset.next !== next) return;
    if (response && isSignIn(response)) return onSignedOut();
    if (response?.status === 404) return onGone();
    if (page?.getElementById('run')) {
      show(page);
      onShown();
    }
    pause = Math.min(pause * 1.2, 5000);
    waiting = setTimeout(ask, pause);
  };
  waiting = setTimeout(ask, pause);
}

function show(page) {
  const text = (document_) => document_.getElementById('run-status')?.textContent ?? '';
  // A screen reader hears of a change once, not of each percent.
  if (text(page) !== text(document)) document.getElementById('run-news').textContent = text(page);
  update(document.getElementById('run'), page.getElementById('run'));
}
