const RATE = 8000;
const HEADER = 44;

/** A WAV file: a second of mono sound whose pitch rises from 200 to 2000 Hz: no two moments are alike. */
export function secondOfSound(): Uint8Array {
  const bytes = new Uint8Array(HEADER + RATE * 2);
  const view = new DataView(bytes.buffer);
  const word = (at: number, text: string) => new TextEncoder().encodeInto(text, bytes.subarray(at));
  word(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  word(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  word(36, 'data');
  view.setUint32(40, RATE * 2, true);
  for (let sample = 0; sample < RATE; sample++) {
    const seconds = sample / RATE;
    const turns = 200 * seconds + 900 * seconds ** 2;
    view.setInt16(HEADER + sample * 2, Math.round(12_000 * Math.sin(2 * Math.PI * turns)), true);
  }
  return bytes;
}
