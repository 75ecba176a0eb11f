// Keeps a request that was typed while the page is left for a sign-in, or is loaded again.

const key = () => `request ${location.pathname}${location.search}`;

/** Reads the text that is kept when the page is left. */
let read = null;
window.addEventListener('pagehide', () => {
  if (read) sessionStorage.setItem(key(), read());
});

export const keepDraft = (reader) => {
  read = reader;
};

/** @returns null if none was kept for this page */
export function takeDraft() {
  const draft = sessionStorage.getItem(key());
  sessionStorage.removeItem(key());
  return draft;
}
