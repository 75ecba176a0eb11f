import { decimal } from '../model/numbers/decimal.ts';

/**
 * https://ffmpeg.org/ffmpeg-formats.html#concat-1: `duration` sets where the next file begins, relative to this one.
 */
export function joinListText(entries: readonly { file: string; seconds: number | null }[]): string {
  const lines = entries.flatMap(({ file, seconds }) => [
    `file ${file}`,
    ...(seconds === null ? [] : [`duration ${decimal(seconds)}`]),
  ]);
  return `${['ffconcat version 1.0', ...lines].join('\n')}\n`;
}
