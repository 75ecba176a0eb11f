import { clockText, durationText } from '../clock.ts';
import { type Failure, failureText } from '../failures.ts';
import { BlobUrl, find, show } from './elements.ts';
import { type Entry, isBusy, resultOf } from './entry.ts';

export type RowAction = 'convert' | 'cancel' | 'save' | 'remove';

/** What the list shows of a file; its options are in options.ts. */
export class Row {
  readonly element: HTMLElement;
  readonly #entry: Entry;
  readonly #player = new BlobUrl();
  /** What the player plays. */
  #played: Blob | null = null;

  constructor(entry: Entry, onAction: (action: RowAction) => void) {
    const template = find(document, '#row', HTMLTemplateElement);
    this.element = find(template.content.cloneNode(true) as DocumentFragment, 'li', HTMLElement);
    this.#entry = entry;
    this.#part('name').textContent = entry.file.name;
    for (const button of this.element.querySelectorAll<HTMLButtonElement>('button[data-do]')) {
      button.setAttribute('aria-label', `${button.textContent} ${entry.file.name}`);
      button.addEventListener('click', () => onAction(button.dataset.do as RowAction));
    }
    find(this.element, 'progress', HTMLProgressElement).setAttribute('aria-label', entry.file.name);
    this.show();
  }

  show(): void {
    const { state, inspection, file } = this.#entry;
    const size = sizeText(file.size);
    this.#part('about').textContent = inspection ? `${clockText(inspection.duration)} · ${size}` : size;
    this.#part('state').textContent = stateText(this.#entry);
    const bar = find(this.element, 'progress', HTMLProgressElement);
    show(bar, state.kind === 'working');
    if (state.kind === 'working') bar.value = state.fraction;
    this.#showFailure(state.kind === 'failed' ? state.failure : null);
    const busy = isBusy(this.#entry);
    this.#button('convert', inspection !== null && !busy);
    this.#button('cancel', busy);
    const blob = busy ? null : resultOf(this.#entry)?.blob;
    this.#button('save', blob != null);
    const player = find(this.element, 'audio', HTMLAudioElement);
    show(player, blob != null);
    if (blob && this.#played !== blob) {
      this.#played = blob;
      player.src = this.#player.of(blob);
    }
  }

  remove(): void {
    this.#player.forget();
    this.element.remove();
  }

  #part(name: string): HTMLElement {
    return find(this.element, `[data-part="${name}"]`, HTMLElement);
  }

  #button(name: RowAction, isShown: boolean): void {
    show(find(this.element, `[data-do="${name}"]`, HTMLButtonElement), isShown);
  }

  #showFailure(failure: Failure | null): void {
    const notice = this.#part('failure');
    show(notice, failure !== null);
    if (!failure) return;
    const { what, next } = failureText(failure);
    find(notice, '[data-part="what"]', HTMLElement).textContent = what;
    find(notice, '[data-part="next"]', HTMLElement).textContent = next;
  }
}

function stateText({ state }: Entry): string {
  if (state.kind === 'reading') return 'Reading…';
  if (state.kind === 'ready') return 'Ready';
  if (state.kind === 'waiting') return 'Waiting';
  if (state.kind === 'canceled') return 'Canceled';
  if (state.kind === 'failed') return 'Not converted';
  if (state.kind === 'working') {
    const left = state.secondsLeft === null ? '' : ` · ${durationText(state.secondsLeft)} left`;
    return `${Math.floor(state.fraction * 100)} %${left}`;
  }
  const { bytes, seconds, isCopy, missing, blob } = state.result;
  const facts = [`${clockText(seconds)} · ${sizeText(bytes)}`];
  if (blob === null) facts.push('written to the folder');
  if (isCopy) facts.push('copied, because the sound was MP3 already: it keeps its bitrate');
  if (missing > 0)
    facts.push(`the file ends ${durationText(missing)} before its own index says: it was cut off`);
  return `Done: ${facts.join('; ')}`;
}

function sizeText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
