import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound, readTimes } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';

const RATE = 48_000;

/**
 * When the first picture is shown, in seconds after the first packet, which ffmpeg plays as 0. In Matroska that is the
 * priming of the sound.
 */
async function pictureAt(path: string): Promise<number> {
  const args = ['-v', 'error', '-show_entries', 'format=start_time', '-of', 'csv=p=0', path];
  const { stdout } = await run(programs, 'ffprobe', args);
  return ((await readTimes(path))[0] ?? 0) - Number(stdout);
}

/** By how many seconds the loudest moment around each of these times is late; negative if early. */
export async function lateness(path: string, times: readonly number[], reach: number): Promise<number[]> {
  const sound = await readSound(path);
  const origin = /\.(webm|mkv)$/.test(path) ? await pictureAt(path) : 0;
  return times.map((time) => {
    const due = origin + time;
    const from = Math.max(0, Math.round((due - reach) * RATE));
    const around = sound.subarray(from, Math.round((due + reach) * RATE));
    const loudest = around.reduce(
      (best, value, index) => (Math.abs(value) > Math.abs(around[best] ?? 0) ? index : best),
      0,
    );
    return (from + loudest) / RATE - due;
  });
}
