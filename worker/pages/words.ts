/** A length of time in words, such as `1 min 5 s`. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 100) / 100} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** A place in a file as players show it, such as `1:05.5`. */
export function clockText(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const [hours, minutes, rest] = [
    Math.floor(tenths / 36_000),
    Math.floor(tenths / 600) % 60,
    (tenths % 600) / 10,
  ];
  const padded = rest < 10 ? `0${rest}` : String(rest);
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

/** A size in words, such as `2.5 MB`. */
export function bytesText(bytes: number): string {
  for (const [unit, size] of [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (bytes >= size) return `${Math.round((bytes / size) * 10) / 10} ${unit}`;
  }
  return `${bytes} bytes`;
}
