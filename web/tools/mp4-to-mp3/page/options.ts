import { clockText, readClock } from '../clock.ts';
import type { Inspection } from '../messages.ts';
import type { Choices } from '../settings.ts';
import { BlobUrl, find, show } from './elements.ts';
import type { Entry } from './entry.ts';
import { COLUMNS, Trim } from './trim.ts';
import { ask } from './worker-client.ts';

/** Fills the options of a row with what is known of its file, and keeps what the person chooses in the entry. */
export function offerOptions(
  row: HTMLElement,
  entry: Entry,
  inspection: Inspection,
  onChange: () => void,
): void {
  const { choices, file } = entry;
  const details = find(row, 'details', HTMLDetailsElement);
  show(details, true);
  find(details, 'summary', HTMLElement).setAttribute('aria-label', `Options of ${file.name}`);
  offerTracks(details, choices, inspection, () => {
    onChange();
    draw();
  });
  for (const name of ['title', 'artist'] as const) {
    const field = find(details, `[data-field="${name}"]`, HTMLInputElement);
    field.value = choices[name];
    field.addEventListener('input', () => {
      choices[name] = field.value.trim();
      onChange();
    });
  }
  offerCover(details, entry, inspection, onChange);

  const { duration } = inspection;
  const trim = new Trim(details, duration, choices, onChange);
  let drawing = new AbortController();
  const draw = async () => {
    drawing.abort();
    drawing = new AbortController();
    const { signal } = drawing;
    const request = { kind: 'peaks', file, track: choices.track, duration, columns: COLUMNS } as const;
    const last = await ask(request, {
      signal,
      onAnswer: (answer) => answer.kind === 'peaks' && !signal.aborted && trim.draw(answer.peaks),
    }).catch(() => null);
    if (last?.kind === 'peaks' && !signal.aborted) trim.draw(last.peaks);
  };
  entry.removed.signal.addEventListener('abort', () => drawing.abort());
  details.addEventListener('toggle', () => draw(), { once: true });
}

function offerTracks(
  details: HTMLElement,
  choices: Choices,
  { tracks }: Inspection,
  onChange: () => void,
): void {
  const select = find(details, '[data-field="track"]', HTMLSelectElement);
  select.replaceChildren(
    ...tracks.map(({ number, label, isDecodable }) => {
      const option = new Option(
        `${number}. ${label}${isDecodable ? '' : ' (cannot be decoded here)'}`,
        String(number),
      );
      option.selected = number === choices.track;
      return option;
    }),
  );
  select.addEventListener('change', () => {
    choices.track = Number(select.value);
    onChange();
  });
}

function offerCover(details: HTMLElement, entry: Entry, inspection: Inspection, onChange: () => void): void {
  const { choices, file } = entry;
  const select = find(details, '[data-field="cover"]', HTMLSelectElement);
  const time = find(details, '[data-field="cover-at"]', HTMLInputElement);
  const image = find(details, 'img', HTMLImageElement);
  const url = new BlobUrl();
  const offers = { none: true, source: inspection.hasCover, frame: inspection.hasPicture };
  for (const option of select.options) option.disabled = !offers[option.value as Choices['cover']];
  select.value = choices.cover;
  time.value = clockText(choices.coverAt);
  const preview = async () => {
    show(find(details, '[data-part="cover-at"]', HTMLElement), choices.cover === 'frame');
    show(image, false);
    if (choices.cover !== 'frame') return;
    const at = choices.coverAt;
    const { signal } = entry.removed;
    const answer = await ask({ kind: 'frame', file, at }, { signal }).catch(() => null);
    if (answer?.kind !== 'frame' || !answer.picture || at !== choices.coverAt) return;
    image.src = url.of(answer.picture);
    image.alt = `Frame at ${clockText(at)}`;
    show(image, true);
  };
  select.addEventListener('change', () => {
    choices.cover = select.value as Choices['cover'];
    onChange();
    preview();
  });
  time.addEventListener('change', () => {
    const seconds = readClock(time.value);
    time.setCustomValidity(seconds === null ? 'Write a time as 1:05 or 65.5.' : '');
    if (seconds === null) return time.reportValidity();
    choices.coverAt = Math.min(seconds, inspection.duration);
    onChange();
    preview();
  });
}
