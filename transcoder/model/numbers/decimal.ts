/** Formats seconds with microsecond precision, never in exponent notation. */
export function decimal(value: number): string {
  return value.toFixed(6);
}
