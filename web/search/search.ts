import MiniSearch, { type SearchResult } from 'minisearch';
import { type Entry, options } from './options.ts';

const SHOWN = 12;

let loading: Promise<MiniSearch<Entry>> | undefined;
let isLoaded = false;

/** The index, fetched once; again after a failure. */
async function index(): Promise<MiniSearch<Entry>> {
  loading ??= load();
  try {
    return await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

async function load(): Promise<MiniSearch<Entry>> {
  const response = await fetch('/search.json');
  if (!response.ok) throw new Error(`the index is not available (${response.status})`);
  const search = new MiniSearch<Entry>(options);
  search.addAll(await response.json());
  isLoaded = true;
  return search;
}

/** The part of a text around the first word that was found. */
function excerpt({ text, terms }: SearchResult): string {
  const at = Math.max(
    0,
    text.toLowerCase().search(new RegExp(terms.map((term) => term.replace(/\W/g, '\\$&')).join('|'))),
  );
  const from = Math.max(0, at - 60);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 160)}${text.length > from + 160 ? '…' : ''}`;
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  set: Record<string, string>,
  ...children: Node[]
) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(set)) {
    if (key === 'textContent') made.textContent = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function hit(result: SearchResult): HTMLLIElement {
  const title = result.section === '' ? result.page : `${result.page} › ${result.section}`;
  const link = element(
    'a',
    { href: result.id },
    element('b', { textContent: title }),
    element('span', { textContent: excerpt(result) }),
  );
  return element('li', {}, link);
}

/** Searches while the reader types, and lists what it finds. */
function attach(input: HTMLInputElement, list: HTMLElement, state: HTMLElement): void {
  const show = async () => {
    const asks = () => input.value.trim() !== '';
    if (!isLoaded) state.textContent = asks() ? 'Loading the search…' : '';
    try {
      const found = (await index()).search(input.value).slice(0, SHOWN);
      list.replaceChildren(...found.map(hit));
      state.textContent = asks() ? countText(found.length) : '';
    } catch {
      state.textContent = 'The search could not be loaded. Check your connection.';
    }
  };
  input.addEventListener('input', show);
  show();
}

function countText(count: number): string {
  if (count === 0) return 'Nothing found.';
  return count === 1 ? '1 result' : `${count} results`;
}

function parts(value: string) {
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search the documentation',
    placeholder: 'Search the documentation',
    autocomplete: 'off',
    spellcheck: 'false',
    value,
  });
  const list = element('ul', { class: 'hits' });
  const state = element('p', { class: 'state', role: 'status' });
  return { input, list, state };
}

let dialog: HTMLDialogElement | undefined;

/** Opens the search over the page. Arrow keys move through the results, Escape closes it. */
export function openSearch(): void {
  if (!dialog) {
    const { input, list, state } = parts('');
    dialog = element('dialog', { class: 'search', 'aria-label': 'Search' }, input, state, list);
    dialog.addEventListener('click', (event) => event.target === dialog && dialog?.close());
    dialog.addEventListener('keydown', (event) => moveFocus(event, input, list));
    list.addEventListener('click', () => dialog?.close());
    document.body.append(dialog);
    attach(input, list, state);
  }
  dialog.showModal();
  dialog.querySelector('input')?.select();
}

function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  // Otherwise the field would take the first Escape to empty itself.
  if (event.key === 'Escape') dialog?.close();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...list.querySelectorAll('a')];
  if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
  if (step === undefined || links.length === 0) return;
  event.preventDefault();
  const at = links.indexOf(document.activeElement as HTMLAnchorElement) + step;
  (at < 0 ? input : (links[Math.min(at, links.length - 1)] ?? input)).focus();
}

/** Puts a search into a page that has nothing else to show. @param words What to search for at first. */
export function placeSearch(place: HTMLElement, words: string): void {
  const { input, list, state } = parts(words);
  place.replaceChildren(element('div', { class: 'search' }, input, state, list));
  attach(input, list, state);
}
