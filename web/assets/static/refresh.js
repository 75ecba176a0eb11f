import { update } from './update.js';

// Replaces a part of the page by its present state, for as long as it asks for that.
const PAUSE_MS = 2000;
/** A page that nothing happens on is asked for less and less often. */
const LONGEST_PAUSE_MS = 15_000;

const isPlaying = (part) => [...part.querySelectorAll('video, audio')].some((player) => !player.paused);

/** The part as the service has it now; null if it cannot be had. */
async function load({ id, dataset }) {
  const response = await fetch(dataset.refresh, { headers: { accept: 'text/html' } });
  // The service is away: the next round tries again.
  if (response.status >= 500 || response.status === 429) throw new Error('not now');
  // Signed out, or no longer a member: the page stays as it is.
  if (!response.ok || response.redirected) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return page.getElementById(id);
}

function replace(part, fresh) {
  const address = part.contains(document.activeElement) && document.activeElement.getAttribute('href');
  update(part, fresh);
  if (address && !part.contains(document.activeElement))
    [...part.querySelectorAll('a')].find((link) => link.getAttribute('href') === address)?.focus();
}

async function follow(part) {
  let seen = part.outerHTML;
  let pause = PAUSE_MS;
  while (part.dataset.refresh) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (document.hidden || isPlaying(part)) continue;
    // While the network is away, the next round tries again.
    const fresh = await load(part).catch(() => part);
    if (fresh === null) return;
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.02);
    if (fresh === part || fresh.outerHTML === seen) continue;
    pause = PAUSE_MS;
    seen = fresh.outerHTML;
    replace(part, fresh);
  }
}

for (const part of document.querySelectorAll('[data-refresh]')) follow(part);
