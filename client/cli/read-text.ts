import { readFileSync } from 'node:fs';

/** The text of a file, also as PowerShell and Notepad write it: in UTF-8 with a byte order mark, or in UTF-16. Throws a TypeError for any other. */
export function readText(path: string): string {
  const bytes = readFileSync(path);
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  // The mark is left out by the decoder.
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
