import { closeSync, openSync, readSync } from 'node:fs';

/** Samples that can be looked at around any moment; those before the first and after the last are silent. */
export interface Sound {
  /** Copies `into.length` samples of both channels from `first` on. */
  read: (first: number, left: Float32Array, right: Float32Array) => void;
  close: () => void;
}

const CHANNELS = 2;
const BYTES = 4 * CHANNELS;
/** Samples that are held at a time. */
const HELD = 1 << 17;

/** Opens raw stereo of 32-bit floats. */
export function openSound(path: string): Sound {
  const file = openSync(path, 'r');
  const held = new Float32Array(HELD * CHANNELS);
  const bytes = new Uint8Array(held.buffer);
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
    held.fill(0, (to - from) * CHANNELS);
  }

  return {
    read: (first, left, right) => {
      const wanted = left.length;
      if (Math.max(0, first) < from || first + wanted > from + HELD || to === 0) hold(first);
      for (let index = 0; index < wanted; index++) {
        const at = first + index - from;
        const inside = at >= 0 && first + index < to;
        left[index] = inside ? (held[at * CHANNELS] ?? 0) : 0;
        right[index] = inside ? (held[at * CHANNELS + 1] ?? 0) : 0;
      }
    },
    close: () => closeSync(file),
  };
}
