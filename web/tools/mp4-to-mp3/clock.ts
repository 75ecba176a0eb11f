const pad = (value: number) => String(value).padStart(2, '0');

/** Seconds as people write them: 4:05.3 or 1:02:03. */
export function clockText(seconds: number): string {
  const tenths = Math.round(Math.max(seconds, 0) * 10);
  const [hours, minutes, rest] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, tenths % 600];
  const fraction = rest % 10 === 0 ? '' : `.${rest % 10}`;
  const head = hours > 0 ? `${hours}:${pad(minutes)}` : `${minutes}`;
  return `${head}:${pad(Math.floor(rest / 10))}${fraction}`;
}

/** Reads 65, 1:05, 1:05.25 and 0:01:05. @returns null if it is none of these. */
export function readClock(text: string): number | null {
  const parts = text.trim().replace(',', '.').split(':');
  if (parts.length > 3 || parts.some((part) => !/^\d{1,6}(\.\d{1,6})?$/.test(part))) return null;
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0);
}

/** A time that is left, in words. */
export function durationText(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
