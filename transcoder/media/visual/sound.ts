import { closeSync, openSync, readSync } from 'node:fs';

/** Random access to samples; positions before the first or after the last sample read as silence. */
export interface Sound {
  /** Copies `into.length` samples of both channels, starting at `first`. */
  read: (first: number, left: Float32Array, right: Float32Array) => void;
  close: () => void;
}

const CHANNELS = 2;
const BYTES = 4 * CHANNELS;
/** Size of the read buffer in samples per channel. */
const BUFFERED = 1 << 17;
/** Energy of the difference of both channels to that of their sum, above which they cancel each other. */
const OPPOSED = 4;

/** Opens raw 32-bit float stereo. */
export function openSound(path: string): Sound {
  const file = openSync(path, 'r');
  const buffer = new Float32Array(BUFFERED * CHANNELS);
  const bytes = new Uint8Array(buffer.buffer);
  let [from, to] = [0, 0];

  function hold(first: number): void {
    from = Math.max(0, first);
    let filled = 0;
    while (filled < bytes.length) {
      const read = readSync(file, bytes, filled, bytes.length - filled, from * BYTES + filled);
      if (read === 0) break;
      filled += read;
    }
    to = from + Math.floor(filled / BYTES);
    buffer.fill(0, (to - from) * CHANNELS);
  }

  return {
    read: (first, left, right) => {
      const wanted = left.length;
      if (Math.max(0, first) < from || first + wanted > from + BUFFERED || to === 0) hold(first);
      for (let index = 0; index < wanted; index++) {
        const at = first + index - from;
        const inside = at >= 0 && first + index < to;
        left[index] = inside ? (buffer[at * CHANNELS] ?? 0) : 0;
        right[index] = inside ? (buffer[at * CHANNELS + 1] ?? 0) : 0;
      }
    },
    close: () => closeSync(file),
  };
}

/** Mixes both channels into `left`. Channels of opposite polarity are subtracted, because their sum would be silent. */
export function mixToOne(left: Float32Array, right: Float32Array): void {
  let [sum, difference] = [0, 0];
  for (let index = 0; index < left.length; index++) {
    const [l, r] = [left[index] ?? 0, right[index] ?? 0];
    sum += (l + r) ** 2;
    difference += (l - r) ** 2;
  }
  const sign = difference > OPPOSED * sum ? -1 : 1;
  for (let index = 0; index < left.length; index++) {
    left[index] = ((left[index] ?? 0) + sign * (right[index] ?? 0)) / 2;
  }
}
