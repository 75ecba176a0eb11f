import type { Failure } from '../failures.ts';
import { mp3Name } from '../names.ts';
import { AT_ONCE, type Settings } from '../settings.ts';
import { TimeLeft } from '../time-left.ts';
import { type Entry, isBusy, isDue, recipe, resultOf, type State } from './entry.ts';
import { Line } from './line.ts';
import { offerOptions } from './options.ts';
import { Row } from './row.ts';
import { newFile, saveOne } from './saving.ts';
import { ask } from './worker-client.ts';

/** Each conversion keeps about two cores busy: one decodes and mixes, one encodes. */
const atOnce = Math.min(
  Math.max(Math.floor(navigator.hardwareConcurrency / 2), AT_ONCE.fewest),
  AT_ONCE.most,
);
const READ_AT_ONCE = 2;

/** The files, and what is being done with them. */
export class List {
  readonly entries: Entry[] = [];
  readonly #rows = new Map<Entry, Row>();
  readonly #element: HTMLElement;
  readonly #settings: () => Settings;
  readonly #onChange: () => void;
  readonly #readers = new Line(READ_AT_ONCE);
  readonly #converters = new Line(atOnce);
  /** Two files of one name must not find the same name free. */
  readonly #naming = new Line(1);

  constructor(element: HTMLElement, settings: () => Settings, onChange: () => void) {
    this.#element = element;
    this.#settings = settings;
    this.#onChange = onChange;
  }

  add(files: Iterable<File>): void {
    for (const file of files) {
      const choices = {
        track: 1,
        from: null,
        to: null,
        title: '',
        artist: '',
        cover: 'none',
        coverAt: 0,
      } as const;
      const entry: Entry = {
        file,
        name: mp3Name(file.name),
        state: { kind: 'reading' },
        earlier: null,
        inspection: null,
        choices: { ...choices },
        stop: new AbortController(),
        removed: new AbortController(),
      };
      const row = new Row(entry, (action) => {
        if (action === 'convert') this.convert([entry], null);
        if (action === 'cancel') this.cancel(entry);
        if (action === 'remove') this.remove(entry);
        const blob = resultOf(entry)?.blob;
        if (action === 'save' && blob) saveOne({ name: entry.name, blob });
      });
      this.entries.push(entry);
      this.#rows.set(entry, row);
      this.#element.append(row.element);
      this.#readers.run(() => this.#inspect(entry, row));
    }
    this.#onChange();
  }

  due(): Entry[] {
    return this.entries.filter((entry) => isDue(entry, this.#settings()));
  }

  /** @param folder where the results are written to; null: they stay in the browser until they are saved */
  async convert(entries: readonly Entry[], folder: FileSystemDirectoryHandle | null): Promise<void> {
    for (const entry of entries) {
      if (entry.state.kind === 'done') entry.earlier = entry.state;
      this.#set(entry, { kind: 'waiting' });
    }
    await Promise.all(
      entries.map((entry) => {
        const { stop } = entry;
        return this.#converters.run(() => this.#convert(entry, stop, folder));
      }),
    );
  }

  cancel(entry: Entry): void {
    if (!isBusy(entry)) return;
    entry.stop.abort();
    entry.stop = new AbortController();
    this.#set(entry, entry.earlier ?? { kind: 'canceled' });
  }

  remove(entry: Entry): void {
    entry.stop.abort();
    entry.removed.abort();
    this.entries.splice(this.entries.indexOf(entry), 1);
    const { element } = this.#rows.get(entry) ?? {};
    const neighbor = element?.nextElementSibling ?? element?.previousElementSibling;
    this.#rows.get(entry)?.remove();
    this.#rows.delete(entry);
    this.#onChange();
    const next = neighbor?.querySelector<HTMLElement>('[data-do="remove"]');
    (next ?? document.getElementById('choose'))?.focus();
  }

  async #inspect(entry: Entry, row: Row): Promise<void> {
    const { file, choices } = entry;
    const { signal } = entry.removed;
    const answer = await ask({ kind: 'inspect', file }, { signal }).catch(() => null);
    if (!answer || signal.aborted) return;
    if (answer.kind === 'failed') return this.#fail(entry, answer.failure);
    if (answer.kind !== 'inspected') return;
    const { inspection } = answer;
    const usable = inspection.tracks.find(({ isDecodable }) => isDecodable) ?? inspection.tracks[0];
    entry.inspection = inspection;
    choices.track = usable?.number ?? 1;
    choices.title = inspection.title;
    choices.artist = inspection.artist;
    choices.cover = inspection.hasCover ? 'source' : 'none';
    offerOptions(row.element, entry, inspection, () => this.#onChange());
    if (usable?.failure) return this.#fail(entry, usable.failure);
    this.#set(entry, { kind: 'ready' });
  }

  /** @param stop Ends it; if the entry has another one by now, it was canceled while it waited. */
  async #convert(
    entry: Entry,
    stop: AbortController,
    folder: FileSystemDirectoryHandle | null,
  ): Promise<void> {
    if (entry.state.kind !== 'waiting' || entry.stop !== stop) return;
    const { file, choices } = entry;
    const settings = this.#settings();
    const wasMadeOf = recipe(settings, choices);
    const pace = new TimeLeft(performance.now());
    this.#set(entry, { kind: 'working', fraction: 0, secondsLeft: null });
    const save = folder && (await this.#naming.run(() => newFile(folder, entry.name)).catch(() => null));
    if (folder && !save) return this.#fail(entry, { code: 'no_folder' });
    const answer = await ask(
      { kind: 'convert', file, settings, choices, save },
      {
        signal: stop.signal,
        onAnswer: (message) => {
          if (message.kind !== 'progress' || stop.signal.aborted) return;
          const { fraction } = message;
          this.#set(entry, {
            kind: 'working',
            fraction,
            secondsLeft: pace.after(fraction, performance.now()),
          });
        },
      },
    ).catch(() => null);
    if (answer?.kind !== 'converted' && save) await folder?.removeEntry(save.name).catch(() => {});
    if (!answer || stop.signal.aborted) return;
    if (answer.kind === 'failed') this.#fail(entry, answer.failure, wasMadeOf);
    if (answer.kind === 'converted') this.#set(entry, { kind: 'done', result: answer.result, wasMadeOf });
  }

  #fail(entry: Entry, failure: Failure, wasMadeOf = recipe(this.#settings(), entry.choices)): void {
    this.#set(entry, { kind: 'failed', failure, wasMadeOf });
  }

  #set(entry: Entry, state: State): void {
    entry.state = state;
    if (state.kind === 'done') entry.earlier = null;
    this.#rows.get(entry)?.show();
    this.#onChange();
  }
}
