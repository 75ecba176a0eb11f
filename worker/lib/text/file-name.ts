const MOST_CHARACTERS = 100;
/** File systems allow 255 bytes; the rest is for the role and the extension. */
const MOST_BYTES = 200;

/** Device names that Windows reserves, with any extension (https://learn.microsoft.com/windows/win32/fileio/naming-a-file). */
const reserved = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/i;

/**
 * Converts a text to a name that every file system and header accepts: letters with their marks, digits, `-`, `_`, `.` and
 * inner spaces, at most 100 characters and 200 bytes of UTF-8.
 */
export function safeFileName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}\-_. ]/gu, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.\-\s_\p{M}]+/u, '');
  const short = trimmed(shortened(name));
  if (short === '') return 'output';
  return reserved.test(short) ? `_${short}` : short;
}

/** Removes dots and spaces at the end. */
function trimmed(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name[end - 1] ?? '')) end -= 1;
  return name.slice(0, end);
}

/** As many whole grapheme clusters as fit. */
function shortened(name: string): string {
  const encoder = new TextEncoder();
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name)) {
    const longer = kept + segment;
    if (longer.length > MOST_CHARACTERS || encoder.encode(longer).length > MOST_BYTES) break;
    kept = longer;
  }
  return kept;
}
