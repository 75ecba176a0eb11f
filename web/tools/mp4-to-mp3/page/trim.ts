import { clockText, readClock } from '../clock.ts';
import type { Choices } from '../settings.ts';
import { find } from './elements.ts';

export const COLUMNS = 600;
const HEIGHT = 80;

/** Two sliders, two fields and a waveform for the span that is converted. */
export class Trim {
  readonly #canvas: HTMLCanvasElement;
  readonly #sliders: readonly [HTMLInputElement, HTMLInputElement];
  readonly #fields: readonly [HTMLInputElement, HTMLInputElement];
  readonly #duration: number;
  readonly #choices: Choices;
  readonly #onChange: () => void;
  #peaks: readonly number[] = [];

  constructor(row: HTMLElement, duration: number, choices: Choices, onChange: () => void) {
    this.#canvas = find(row, 'canvas', HTMLCanvasElement);
    const input = (name: string) => find(row, `[data-field="${name}"]`, HTMLInputElement);
    this.#sliders = [input('from-slider'), input('to-slider')];
    this.#fields = [input('from'), input('to')];
    this.#duration = duration;
    this.#choices = choices;
    this.#onChange = onChange;
    this.#canvas.width = COLUMNS;
    this.#canvas.height = HEIGHT;
    for (const side of [0, 1] as const) {
      this.#sliders[side].max = String(duration);
      this.#sliders[side].addEventListener('input', () => {
        const { value, step } = this.#sliders[side];
        // A slider stops at its last whole step.
        const isEnd = side === 1 && Number(value) + Number(step) > duration;
        this.#set(side, isEnd ? duration : Number(value));
      });
      this.#fields[side].addEventListener('change', () => {
        const seconds = readClock(this.#fields[side].value);
        this.#fields[side].setCustomValidity(seconds === null ? 'Write a time as 1:05 or 65.5.' : '');
        if (seconds === null) this.#fields[side].reportValidity();
        else this.#set(side, seconds);
      });
    }
    this.#canvas.addEventListener('pointerdown', (event) => this.#point(event));
    this.#canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 1) this.#point(event);
    });
    this.#show();
  }

  /** @param peaks from 0 to 1 */
  draw(peaks: readonly number[] = this.#peaks): void {
    this.#peaks = peaks;
    const pencil = this.#canvas.getContext('2d');
    if (!pencil) return;
    const { color, outlineColor } = getComputedStyle(this.#canvas);
    pencil.clearRect(0, 0, COLUMNS, HEIGHT);
    const [from, to] = this.#span().map((seconds) => (seconds / this.#duration) * COLUMNS) as [
      number,
      number,
    ];
    for (const [column, peak] of peaks.entries()) {
      const height = Math.max(1, Math.min(peak, 1) * HEIGHT);
      pencil.fillStyle = column >= Math.floor(from) && column < Math.ceil(to) ? color : outlineColor;
      pencil.fillRect(column, (HEIGHT - height) / 2, 1, height);
    }
  }

  #span(): [number, number] {
    return [this.#choices.from ?? 0, this.#choices.to ?? this.#duration];
  }

  #point({ offsetX }: PointerEvent): void {
    const seconds = (offsetX / this.#canvas.clientWidth) * this.#duration;
    const [from, to] = this.#span();
    this.#set(Math.abs(seconds - from) <= Math.abs(seconds - to) ? 0 : 1, seconds);
  }

  #set(side: 0 | 1, seconds: number): void {
    const [from, to] = this.#span();
    if (side === 0) this.#choices.from = seconds <= 0 ? null : Math.min(seconds, to);
    else this.#choices.to = seconds >= this.#duration ? null : Math.max(seconds, from);
    this.#show();
    this.#onChange();
  }

  #show(): void {
    for (const [side, seconds] of this.#span().entries()) {
      const [slider, field] = [this.#sliders[side], this.#fields[side]];
      if (!slider || !field) continue;
      slider.value = String(seconds);
      slider.setAttribute('aria-valuetext', clockText(seconds));
      field.value = clockText(seconds);
    }
    this.draw();
  }
}
