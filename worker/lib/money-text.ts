/** An amount in the smallest unit of its currency, as people write it: `$9`, `¥1,200`, `$9.50`. */
export function moneyText(amount: number, currency: string): string {
  const options = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  const format = new Intl.NumberFormat('en', options);
  const { maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return format.format(amount / 10 ** digits);
}
