/** In samples. */
export interface Passage {
  at: number;
  samples: number;
}

/** Levels per second. */
export const LEVELS = 100;
/** Below this there is no speech. */
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
  const faint = sorted.findIndex((level) => level >= FAINT);
  const heard = faint < 0 ? 0 : sorted.length - faint;
  if (heard < SHORTEST) return [];
  const at = (index: number) => sorted[Math.floor(index)] ?? 0;
  // Loud among what is not faint: a few words in an hour of silence are speech, too.
  const [floor, loud] = [at(0.1 * (sorted.length - 1)), at(faint + 0.95 * (heard - 1))];
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
