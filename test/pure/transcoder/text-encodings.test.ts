import { expect, test } from 'vitest';
import { textOf as decoded } from '../../../transcoder/source/read-text.ts';

test('a text is read in the encodings that captions come in', () => {
  const bytes = (...values: number[]) => Uint8Array.from(values);
  expect(decoded(new TextEncoder().encode('Größe'))).toBe('Größe');
  expect(decoded(bytes(0xff, 0xfe, 0x47, 0, 0xf6, 0))).toBe('Gö');
  expect(decoded(bytes(0x47, 0xf6))).toBe('Gö');
  expect(() => decoded(bytes(0x47, 0, 0x01))).toThrow(/^The file is not a text file/);
});

test('a text in UTF-8 stays one where a few of its bytes are invalid', () => {
  const bytes = (text: string, ...values: number[]) =>
    Uint8Array.from([...new TextEncoder().encode(text), ...values]);
  const long = 'Größe, Maß und Übergänge: äöü ßéè';
  expect(decoded(bytes(long, 0xe4))).toBe(`${long}\ufffd`);
  expect(decoded(bytes('\ufeffJa', 0xe4))).toBe('Ja\ufffd');
  // Letters of Windows-1252 that form a character of UTF-8 by chance.
  expect(decoded(bytes('Ü', 0xfc, 0xe4))).toBe('Ãœüä');
  expect(decoded(bytes('plain', 0xe4))).toBe('plainä');
});
