const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name that every file system and header takes: letters, digits, `-`, `_`, `.` and inner spaces, at most 100 characters. */
export function safeFileName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}\-_. ]/gu, '_')
    .replace(/\.{2,}/g, '.')
    .replace(/^[.\-\s_]+|[.\s]+$/gu, '')
    .slice(0, 100)
    .trim();
  if (name === '') return 'output';
  return reserved.test(name) ? `_${name}` : name;
}
