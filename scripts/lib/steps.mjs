const QUIET_MS = 700;
const HEARTBEAT_MS = 5000;

/** An error whose message says what to do; shown without a stack. */
export class Advice extends Error {}

/** @param {number} startedAt */
export function secondsSince(startedAt) {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}

/**
 * Shows a step while it runs, and its outcome.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @param {(result: T) => string | null} [describe] The text to show when it is done; null shows nothing.
 * @returns {Promise<T>}
 */
export async function step(title, work, describe = () => title) {
  const startedAt = Date.now();
  const first = setTimeout(() => console.log(`  … ${title}`), QUIET_MS);
  const heartbeat = setInterval(() => console.log(`  … ${title} (${secondsSince(startedAt)})`), HEARTBEAT_MS);
  try {
    const result = await work();
    const text = describe(result);
    if (text !== null) console.log(`  ✓ ${text} (${secondsSince(startedAt)})`);
    return result;
  } catch (error) {
    console.log(`  ✗ ${title} (${secondsSince(startedAt)})`);
    throw error;
  } finally {
    clearTimeout(first);
    clearInterval(heartbeat);
  }
}
