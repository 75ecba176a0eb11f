import { demand } from './event.ts';

/** RFC 4180: records end with CRLF, all have as many fields as the header, and quotes stand around fields that need them. */
export function readCsv(text: string): Record<string, string>[] {
  const records: string[][] = [];
  let at = 0;
  const plain = /[^",\r\n]*/y;
  const quoted = /"((?:[^"]|"")*)"/y;
  while (at < text.length) {
    const fields: string[] = [];
    for (;;) {
      const pattern = text[at] === '"' ? quoted : plain;
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      demand(match, `a quote is open at ${at}`);
      fields.push(match[1]?.replaceAll('""', '"') ?? match[0]);
      at = pattern.lastIndex;
      if (text[at] !== ',') break;
      at += 1;
    }
    demand(text.startsWith('\r\n', at), `a record does not end with CRLF at ${at}`);
    at += 2;
    records.push(fields);
  }
  const [header = [], ...rows] = records;
  demand(new Set(header).size === header.length && !header.includes(''), 'the header names each column once');
  return rows.map((fields) => {
    demand(fields.length === header.length, 'a record has another number of fields');
    return Object.fromEntries(header.map((name, index) => [name, fields[index] ?? '']));
  });
}
