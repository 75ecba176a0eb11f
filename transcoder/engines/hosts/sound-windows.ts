/** Sound of 16 bits that is read piece by piece. */
export interface SampleSource {
  samples: number;
  /** Fills `into` with the samples from `at` on. */
  read: (into: Int16Array, at: number) => Promise<void>;
}

/** Windows read at once. */
const BLOCK = 128;
const FULL_SCALE = 32_768;

/**
 * The windows of a sound from its start on, each with the one that mirrors it from its end, with its samples reversed. The
 * last window is filled up with silence. The arrays are used again for the next pair.
 */
export async function* bothWays(
  source: SampleSource,
  size: number,
): AsyncGenerator<[forwards: Float32Array, backwards: Float32Array]> {
  const windows = Math.ceil(source.samples / size);
  const [ahead, behind] = [blocksOf(source, size), blocksOf(source, size)];
  const [forwards, backwards] = [new Float32Array(size), new Float32Array(size)];
  for (let index = 0; index < windows; index++) {
    await ahead(index, forwards);
    await behind(windows - 1 - index, backwards);
    yield [forwards, backwards.reverse()];
  }
}

function blocksOf({ samples, read }: SampleSource, size: number) {
  const block = new Int16Array(BLOCK * size);
  let loaded = -1;
  return async (window: number, into: Float32Array) => {
    const wanted = Math.floor(window / BLOCK);
    if (wanted !== loaded) {
      const from = wanted * block.length;
      const within = Math.min(block.length, samples - from);
      await read(block.subarray(0, within), from);
      block.fill(0, within);
      loaded = wanted;
    }
    const at = (window - wanted * BLOCK) * size;
    for (let index = 0; index < size; index++) into[index] = (block[at + index] ?? 0) / FULL_SCALE;
  };
}
