/** Envelope samples per second. */
const STEPS = 1000;
/** Averaging window in seconds, longer than one pitch period of any voice. */
const WINDOW = 0.02;
/** Longer passages are split into parts of about this length, to reveal drift within a passage. */
const PART_SECONDS = 2;
/** Below this correlation a lag is meaningless. */
const ALIKE = 0.6;

/** Square root of the RMS level, to give quiet parts more weight. */
function envelopeOf(samples: Float32Array, sampleRate: number): Float32Array {
  const sums = new Float64Array(samples.length + 1);
  for (const [index, value] of samples.entries()) sums[index + 1] = (sums[index] ?? 0) + value * value;
  const half = Math.round((WINDOW / 2) * sampleRate);
  return Float32Array.from({ length: Math.floor((samples.length / sampleRate) * STEPS) }, (_, step) => {
    const center = Math.round((step / STEPS) * sampleRate);
    const [from, to] = [Math.max(0, center - half), Math.min(samples.length, center + half)];
    return (Math.max(0, (sums[to] ?? 0) - (sums[from] ?? 0)) / Math.max(1, to - from)) ** 0.25;
  });
}

/**
 * Seconds by which `found` lags `wanted` in each part, from the cross-correlation of their envelopes. Parts without a
 * match are left out.
 */
export function lagsOf(
  found: Float32Array,
  wanted: Float32Array,
  sampleRate: number,
  reach: number,
): number[] {
  const [late, early] = [envelopeOf(found, sampleRate), envelopeOf(wanted, sampleRate)];
  const parts = Math.max(1, Math.round(early.length / (PART_SECONDS * STEPS)));
  const size = Math.floor(early.length / parts);
  return Array.from({ length: parts }, (_, part) => part * size).flatMap((from) => {
    const best = bestLag(late, early, from, size, Math.round(reach * STEPS));
    return best.alike >= ALIKE ? [best.lag / STEPS] : [];
  });
}

function bestLag(late: Float32Array, early: Float32Array, from: number, size: number, reach: number) {
  let best = { lag: 0, alike: 0 };
  for (let lag = -reach; lag <= reach; lag++) {
    const alike = correlation(late, early, from, size, lag);
    if (alike > best.alike) best = { lag, alike };
  }
  return best;
}

function correlation(late: Float32Array, early: Float32Array, from: number, size: number, lag: number) {
  const [first, last] = [Math.max(from, -lag), Math.min(from + size, late.length - lag)];
  const count = last - first;
  if (count <= 0) return 0;
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let at = first; at < last; at++) {
    const [x, y] = [late[at + lag] ?? 0, early[at] ?? 0];
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  const spread = Math.sqrt(Math.max(0, aa - (a * a) / count) * Math.max(0, bb - (b * b) / count));
  return spread > 0 ? (ab - (a * b) / count) / spread : 0;
}
