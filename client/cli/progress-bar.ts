import type { Progress } from '../src/index.ts';

const WIDTH = 24;

/** One line with the stage and the time left; silent without a terminal. */
export class ProgressBar {
  readonly #out: NodeJS.WriteStream | null;
  #shown = '';

  constructor(out: NodeJS.WriteStream, isQuiet: boolean) {
    this.#out = out.isTTY && !isQuiet ? out : null;
  }

  show({ status, stage, percent, etaSeconds }: Progress): void {
    const what = status === 'uploading' ? 'sending' : status === 'queued' ? 'waiting' : stage;
    this.draw(what, percent, etaSeconds === null ? '' : `${durationText(etaSeconds)} left`);
  }

  draw(what: string, percent: number, note = ''): void {
    const full = Math.round((Math.min(100, percent) / 100) * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    this.#write(`${what.padEnd(10)} ${bar} ${String(Math.floor(percent)).padStart(3)} %  ${note}`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#shown !== '') this.#write('');
  }

  #write(line: string): void {
    if (!this.#out || line === this.#shown) return;
    this.#shown = line;
    this.#out.write(`\r\x1b[2K${line}`);
  }
}

export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}
