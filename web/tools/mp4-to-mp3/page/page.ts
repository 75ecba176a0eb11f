import { durationText } from '../clock.ts';
import { failureText } from '../failures.ts';
import { distinctNames } from '../names.ts';
import type { Settings } from '../settings.ts';
import { find, show } from './elements.ts';
import { isBusy, resultOf } from './entry.ts';
import { List } from './list.ts';
import { canWriteFolders, chooseFolder, isSaved, type Saved, saveZip, whenDismissed } from './saving.ts';

const byId = <T extends Element>(id: string, kind: new () => T) => find(document, `#${id}`, kind);

const chooser = byId('choose', HTMLInputElement);
const drop = byId('drop', HTMLElement);
const buttons = {
  convert: byId('convert', HTMLButtonElement),
  folder: byId('folder', HTMLButtonElement),
  cancel: byId('cancel', HTMLButtonElement),
  zip: byId('zip', HTMLButtonElement),
  clear: byId('clear', HTMLButtonElement),
};

function settings(): Settings {
  const value = (id: string) => byId(id, HTMLSelectElement).value;
  const rate = value('rate');
  return {
    quality: value('bitrate') as Settings['quality'],
    channels: value('channels') as Settings['channels'],
    sampleRate: rate === 'source' ? 'source' : Number(rate),
  };
}

const list = new List(byId('files', HTMLElement), settings, () => requestUpdate());

let isUpdatePending = false;
/** Many changes of one moment are shown once. */
function requestUpdate(): void {
  if (isUpdatePending) return;
  isUpdatePending = true;
  queueMicrotask(() => {
    isUpdatePending = false;
    update();
  });
}

/** What can be saved; a result that is being replaced cannot. */
function results(): Saved[] {
  const done = list.entries.flatMap((entry) => {
    const blob = isBusy(entry) ? null : resultOf(entry)?.blob;
    return blob ? [{ name: entry.name, blob }] : [];
  });
  const names = distinctNames(done.map(({ name }) => name));
  return done.map(({ blob }, index) => ({ blob, name: names[index] ?? '' }));
}

/** How many MP3s are in this page alone. */
function unsaved(): number {
  const blobs = list.entries.map((entry) => resultOf(entry)?.blob);
  return blobs.filter((blob) => blob && !isSaved(blob)).length;
}

function update(): void {
  const { entries } = list;
  const due = list.due();
  show(byId('work', HTMLElement), entries.length > 0);
  buttons.convert.disabled = due.length === 0;
  buttons.folder.disabled = due.length === 0;
  show(buttons.cancel, entries.some(isBusy));
  buttons.zip.disabled = results().length === 0;
  say(summary());
}

function summary(): string {
  const count = (kind: string) => list.entries.filter(({ state }) => state.kind === kind).length;
  const total = list.entries.length;
  if (total === 0) return '';
  const facts = [`${count('done')} of ${total} converted`];
  if (count('failed') > 0) facts.push(`${count('failed')} not converted`);
  return `${facts.join(', ')}.`;
}

/** Shown at once and read out when the words change; what is left changes often, and stands apart. */
function say(text: string): void {
  const status = byId('status', HTMLElement);
  if (status.textContent !== text) status.textContent = text;
  const left = list.entries.flatMap(({ state }) =>
    state.kind === 'working' ? (state.secondsLeft ?? []) : [],
  );
  byId('left', HTMLElement).textContent = left.length === 0 ? '' : `${durationText(Math.max(...left))} left`;
}

/** Says why nothing was saved; a failure of a file stands in its row. */
function sayFailure(error: unknown): null {
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  const { what, next } = failureText({ code: isFull ? 'disk_full' : 'no_folder' });
  byId('status', HTMLElement).textContent = `${what} ${next}`;
  return null;
}

const add = (files: Iterable<File> | null | undefined) => {
  if (files) list.add([...files]);
};

chooser.addEventListener('change', () => {
  add(chooser.files);
  chooser.value = '';
});
document.addEventListener('paste', (event) => add(event.clipboardData?.files));
document.addEventListener('dragover', (event) => {
  event.preventDefault();
  drop.classList.add('over');
});
document.addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) drop.classList.remove('over');
});
document.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  add(event.dataTransfer?.files);
});

buttons.convert.addEventListener('click', () => list.convert(list.due(), null));
buttons.folder.addEventListener('click', async () => {
  const due = list.due();
  const folder = await chooseFolder().catch(sayFailure);
  if (folder) await list.convert(due, folder);
});
buttons.cancel.addEventListener('click', () => {
  for (const entry of list.entries.filter(isBusy)) list.cancel(entry);
});
buttons.zip.addEventListener('click', () =>
  saveZip(results(), 'mp3.zip').catch(whenDismissed).catch(sayFailure),
);
buttons.clear.addEventListener('click', () => {
  const count = unsaved();
  if (count > 0 && !confirm(`${count === 1 ? '1 MP3 is' : `${count} MP3s are`} not saved. Clear the list?`))
    return;
  for (const entry of [...list.entries]) list.remove(entry);
});
for (const id of ['bitrate', 'channels', 'rate'])
  byId(id, HTMLSelectElement).addEventListener('change', update);
window.addEventListener('beforeunload', (event) => {
  if (list.entries.some(isBusy) || unsaved() > 0) event.preventDefault();
});

show(buttons.folder, canWriteFolders);
show(byId('tool', HTMLElement), true);
update();
navigator.serviceWorker?.register(`${location.pathname}/service-worker.js`, { scope: location.pathname });
