/** A length of time in words, such as `1 min 5 s`, as `worker/pages/words.ts` has it. */
export function durationText(seconds) {
  if (seconds < 10) return `${Math.round(seconds * 100) / 100} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
