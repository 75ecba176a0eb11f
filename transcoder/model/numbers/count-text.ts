/** A number of things, such as `1 word` and `2 words`. */
export const countText = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
