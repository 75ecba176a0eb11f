/** Converts `#rrggbb` to the notation of ASS. @param opacity From 0 to 1. */
export function assColor(color: string, opacity = 1): string {
  const [red, green, blue] = [color.slice(1, 3), color.slice(3, 5), color.slice(5, 7)];
  const alpha = Math.round((1 - opacity) * 255)
    .toString(16)
    .padStart(2, '0');
  return `&H${alpha}${blue}${green}${red}`.toUpperCase();
}

/** The notation inside an override tag, without alpha. */
export const tagColor = (color: string) => `${assColor(color).replace('&H00', '&H')}&`;
