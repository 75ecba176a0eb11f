import { describe, expect, test } from 'vitest';
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
  expect(decoded(bytes('Ja, Ü', 0x62, 0x65, 0x72, 0xe4))).toBe('Ja, Ãœberä');
  expect(decoded(bytes('plain', 0xe4))).toBe('plainä');
});

describe('a text in another encoding', () => {
  const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
  const head = Buffer.from('[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,');

  test.each([
    ['Windows-1251', 'cff0 e8e2 e5f2 2c20 ecfb 20e7 e4e5 f1fc'],
    ['KOI8-R', 'f0d2 c9d7 c5d4 2c20 cdd9 20da c4c5 d3d8'],
    ['Windows-1253', 'cae1 ebe7 ecdd f1e1'],
    ['Windows-1255', 'f9ec e5ed 20f2 e5ec ed'],
    ['Windows-1256', 'e3d1 cdc8 c720 c8c7 e1da c7e1 e3'],
    ['GBK', 'c4e3 bac3 a3ac cac0 bde7'],
    ['Big5', 'a741 a66e a141 a540 acc9'],
    ['Shift_JIS', '82b1 82f1 82c9 82bf 82cd 8141 90a2 8a45'],
    ['EUC-KR', 'bec8 b3e7 c7cf bcbc bfe4'],
    ['Windows-874', 'cac7 d1ca b4d5'],
    ['Windows-1250', '7a61 bff3 b3e6 2067 eab6 6cb9 206a 61bc f1'],
  ])('such as %s is refused, with what to do', (_, bytes) => {
    const refusal = expect.objectContaining({
      ...{ code: 'captions_invalid', message: 'The file is not in UTF-8. Save it as UTF-8.' },
    });
    expect(() => decoded(hex(bytes))).toThrow(refusal);
    expect(() => decoded(Buffer.concat([head, hex(bytes)]))).toThrow(refusal);
  });

  /** The bytes of a text in a code page. */
  function encoded(page: string, text: string): Uint8Array {
    const table = new Map(
      Array.from({ length: 256 }, (_, byte) => [new TextDecoder(page).decode(Uint8Array.of(byte)), byte]),
    );
    return Uint8Array.from(text, (one) => {
      const byte = table.get(one);
      if (byte === undefined) throw new Error(`${page} has no ${one}`);
      return byte;
    });
  }

  test.each([
    ['windows-1254', 'Bu akşam sinemaya gidiyoruz, değil mi?'],
    ['windows-1254', 'Çok güzel bir gün, ışık içinde'],
    ['windows-1250', 'Ce faci aici? Mulţumesc, stau şi aştept.'],
    ['windows-1250', 'Jó reggelt, hogy vagy? Köszönöm, jól. Az őr itt áll.'],
    ['windows-1250', 'Dobrý večer, přátelé. Včera přišel můj přítel, žije v Praze už dlouho.'],
    ['windows-1250', 'Što ćemo večeras? Moći ćeš doći.'],
    ['windows-1257', 'Labas rytas, kaip jūs šiandien jaučiatės? Ačiū, puikiai, žinoma.'],
    ['windows-1257', 'Labrīt, kā jums šodien klājas? Paldies, ļoti labi, žēl.'],
  ])('such as %s is refused, though its letters are Latin: %s', (page, text) => {
    expect(() => decoded(encoded(page, text))).toThrow('The file is not in UTF-8. Save it as UTF-8.');
  });

  test.each([
    'Là où ça a été créée : « À l’école », dit-elle… «Été»',
    'Je vais à Paris',
    'ÇA VA ?',
    '¿Qué pasa, Óscar? ¡Él!',
    'Hän on täällä, hääyö',
    'Öl für Äxte – 25 °C, 3 m³, 5 € „Größe“',
    'Þetta er óþægð og íþrótt',
    'São Paulo não é só coração',
    'Col·lecció de cançons, l´Àngel',
    'Perché è così? Però più tardi andrà là',
    'Det er så hyggeligt på øen, æblerne også',
    'Freqüentemente não há razões, tranqüilo',
    'Õhtu on käes, öö tuleb, süda on täis',
    'Miloš e Žižek: un concerto è più bello così',
    'Hvað er að þér? Ég veit það ekki, à la carte',
    'L’œuvre de Miloš Žižek est déjà là, où ça ?',
  ])('is not taken for granted: Windows-1252 has %s', (text) => {
    expect(decoded(encoded('windows-1252', text))).toBe(text);
  });
});
