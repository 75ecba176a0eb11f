/** In samples. */
export interface Passage {
  at: number;
  samples: number;
}

/** Levels per second. */
export const LEVELS = 100;
/** If even loud parts are below this, the file has no speech. */
const FAINT = 1e-4;
/** Shorter silences are part of a passage. */
const GAP = 0.5 * LEVELS;
const SHORTEST = 0.05 * LEVELS;
/** Silence kept around a passage. */
const MARGIN = 0.1 * LEVELS;
const LONGEST = 28 * LEVELS;
/** Longer passages are split at their quietest moment within this distance of the limit. */
const SEARCH = 8 * LEVELS;

const ratio = (db: number) => 10 ** (db / 20);

/** Splits sound at silences into passages of at most 28 s. @param levels RMS of every 10 ms. */
export function passagesOf(levels: Float32Array, sampleRate: number): Passage[] {
  const sorted = levels.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const [floor, loud] = [at(0.1), at(0.95)];
  if (loud < FAINT) return [];
  const threshold = Math.min(loud * ratio(-12), Math.max(loud * ratio(-40), floor * ratio(12)));
  const runs: [number, number][] = [];
  for (const [index, level] of levels.entries()) {
    if (level < threshold) continue;
    const last = runs.at(-1);
    if (last && index - last[1] < GAP) last[1] = index + 1;
    else runs.push([index, index + 1]);
  }
  const size = Math.round(sampleRate / LEVELS);
  return runs
    .filter(([from, to]) => to - from >= SHORTEST)
    .map(([from, to]): [number, number] => [Math.max(0, from - MARGIN), Math.min(levels.length, to + MARGIN)])
    .flatMap((run) => divided(run, levels))
    .map(([from, to]) => ({ at: from * size, samples: (to - from) * size }));
}

function divided([from, to]: [number, number], levels: Float32Array): [number, number][] {
  const parts: [number, number][] = [];
  let start = from;
  while (to - start > LONGEST) {
    let cut = start + LONGEST;
    for (let index = cut - SEARCH; index < start + LONGEST; index++) {
      if ((levels[index] ?? 0) < (levels[cut] ?? 0)) cut = index;
    }
    parts.push([start, cut]);
    start = cut;
  }
  return [...parts, [start, to]];
}
