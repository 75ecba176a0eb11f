import { readSound } from '../../fixtures/barcode.ts';

const RATE = 48_000;

/** By how many seconds the loudest moment around each of these times is late; negative if early. */
export async function lateness(path: string, times: readonly number[], reach: number): Promise<number[]> {
  const sound = await readSound(path);
  return times.map((due) => {
    const from = Math.max(0, Math.round((due - reach) * RATE));
    const around = sound.subarray(from, Math.round((due + reach) * RATE));
    const loudest = around.reduce(
      (best, value, index) => (Math.abs(value) > Math.abs(around[best] ?? 0) ? index : best),
      0,
    );
    return (from + loudest) / RATE - due;
  });
}
