const formatOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' });

/** Digits behind the point of a currency. */
const digitsOf = (currency: string) => formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount in the smallest unit of its currency, as people write it: `$9`, `¥1,200`, `$9.50`. */
export function moneyText(amount: number, currency: string): string {
  return formatOf(currency).format(amount / 10 ** digitsOf(currency));
}

/** The same for programs: `9.00`, `1200`, `9.50`. */
export function moneyDigits(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}
