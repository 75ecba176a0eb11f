const browsers: [RegExp, string][] = [
  [/\bEdg/, 'Edge'],
  [/\b(OPR|Opera)\b/, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system of a User-Agent header, such as `Firefox on Linux`. */
export function browserName(userAgent: string): string {
  const text = userAgent.slice(0, 500);
  const nameIn = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(text))?.[1];
  return `${nameIn(browsers) ?? 'A browser'} on ${nameIn(systems) ?? 'an unknown system'}`;
}
