import { secondsFromText } from './fields.ts';

/** Without spaces. */
const parts =
  /^(?:(\d{1,4})h(?:ours?|rs?)?)?(?:(\d{1,5})m(?:in(?:utes?|s)?)?)?(?:(\d{1,7}(?:\.\d{1,6})?)s(?:ec(?:onds?|s)?)?)?$/i;
const milliseconds = /^(\d{1,10})(?:ms|msec|milliseconds?)$/i;

/** The time that a text in another notation states: `90s`, `1m30s`, `1500ms`, `00:01:30,500`. Null if it states none. */
export function timeNear(text: string): number | null {
  if (text.length > 40) return null;
  const joined = text.replaceAll(/\s/g, '');
  const ms = milliseconds.exec(joined)?.[1];
  if (ms !== undefined) return Number(ms) / 1000;
  const [, hours, minutes, seconds] = parts.exec(joined) ?? [];
  if (hours ?? minutes ?? seconds)
    return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  // Commas are how SubRip writes fractions.
  return secondsFromText(text.trim().replace(',', '.'));
}
