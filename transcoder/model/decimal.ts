/** Seconds to the microsecond, never in exponent notation. */
export function decimal(value: number): string {
  return value.toFixed(6);
}
