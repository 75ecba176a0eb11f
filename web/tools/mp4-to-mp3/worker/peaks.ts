import type { InputAudioTrack } from 'mediabunny';
import { decode } from './decode.ts';

/** Longer files are listened to in one place for each column of the picture. */
const LISTEN_TO_ALL = 20 * 60;
const GLIMPSE = 0.06;

/** The loudest sample of each column of the picture, as it becomes known. */
export async function* peaksOf(
  track: InputAudioTrack,
  { origin, duration, columns }: { origin: number; duration: number; columns: number },
): AsyncGenerator<{ column: number; peak: number }> {
  const width = duration / columns;
  if (duration <= LISTEN_TO_ALL) {
    const peaks = new Float32Array(columns);
    let done = 0;
    for await (const { timestamp, sampleRate, planes } of decode(track, origin, origin + duration)) {
      const length = planes[0]?.length ?? 0;
      for (const plane of planes) {
        for (let index = 0; index < length; index++) {
          const column = Math.floor((timestamp - origin + index / sampleRate) / width);
          if (column < 0 || column >= columns) continue;
          peaks[column] = Math.max(peaks[column] ?? 0, Math.abs(plane[index] ?? 0));
        }
      }
      const until = Math.min(Math.floor((timestamp - origin) / width), columns);
      for (; done < until; done++) yield { column: done, peak: peaks[done] ?? 0 };
    }
    for (; done < columns; done++) yield { column: done, peak: peaks[done] ?? 0 };
    return;
  }
  for (let column = 0; column < columns; column++) {
    const from = origin + (column + 0.5) * width;
    let peak = 0;
    for await (const { planes } of decode(track, from, from + GLIMPSE)) {
      for (const plane of planes) for (const sample of plane) peak = Math.max(peak, Math.abs(sample));
    }
    yield { column, peak };
  }
}
