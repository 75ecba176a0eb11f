export interface Fraction {
  num: number;
  den: number;
}

/** The best approximation of a positive number by whole numbers up to `most`, by continued fractions. */
export function nearestFraction(value: number, most: number): Fraction {
  let [before, last] = [
    { num: 0, den: 1 },
    { num: 1, den: 0 },
  ];
  for (let rest = value; ; ) {
    const whole = Math.floor(rest);
    const next = { num: whole * last.num + before.num, den: whole * last.den + before.den };
    // Also ends for what is no number.
    if (!(next.num <= most && next.den <= most)) return last;
    [before, last] = [last, next];
    const over = rest - whole;
    if (over < 1e-9) return last;
    rest = 1 / over;
  }
}
