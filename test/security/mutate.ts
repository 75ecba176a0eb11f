/** The same numbers at every run, from 0 up to 1; mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Where sizes and counts turn over. */
const edges = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

type Change = (bytes: Buffer, at: number, random: () => number) => Buffer;

const changes: Change[] = [
  (bytes, at, random) => set(bytes, at, (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8))),
  (bytes, at, random) => set(bytes, at, Math.floor(random() * 256)),
  (bytes, at, random) => {
    const value = edges[Math.floor(random() * edges.length)] ?? 0;
    if (at + 4 <= bytes.length) {
      if (random() < 0.5) bytes.writeUInt32BE(value, at);
      else bytes.writeUInt32LE(value, at);
    }
    return bytes;
  },
  (bytes, at, random) => cut(bytes, at, at + length(random)),
  (bytes, at, random) => insert(bytes, at, bytes.subarray(at, at + length(random))),
  (bytes, at, random) =>
    insert(bytes, at, Buffer.from(Array.from({ length: length(random) }, () => random() * 256))),
  (bytes, at, random) => {
    const from = Math.floor(random() * bytes.length);
    bytes.copy(bytes, at, from, from + length(random));
    return bytes;
  },
  (bytes, at, random) =>
    bytes.fill(random() < 0.5 ? 0 : 0xff, at, Math.min(bytes.length, at + length(random))),
  (bytes, at) => bytes.subarray(0, Math.max(1, at)),
];

const length = (random: () => number) => 1 + Math.floor(random() ** 3 * 64);
const cut = (bytes: Buffer, from: number, to: number) =>
  Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
const insert = (bytes: Buffer, at: number, more: Buffer) =>
  Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);

function set(bytes: Buffer, at: number, value: number): Buffer {
  bytes[at] = value;
  return bytes;
}

const EDGE = 1024;

/** A copy with one to eight changes, most of them where headers and indexes stand: near its beginning and its end. */
export function mutant(seed: Buffer, random: () => number): Buffer {
  let bytes: Buffer = Buffer.from(seed);
  const count = 1 + Math.floor(random() * 8);
  for (let done = 0; done < count && bytes.length > 0; done++) {
    const change = changes[Math.floor(random() * (changes.length - (done > 0 ? 1 : 0)))];
    bytes = change?.(bytes, place(bytes.length, random), random) ?? bytes;
  }
  return bytes;
}

function place(size: number, random: () => number): number {
  const part = random();
  const near = Math.min(size, EDGE);
  if (part < 0.4) return Math.floor(random() * near);
  if (part < 0.7) return size - 1 - Math.floor(random() * near);
  return Math.floor(random() * size);
}
