import type { Span } from '../model/source/byte-ranges.ts';

/** The byte range of a response and the size of the file. */
interface ContentRange {
  span: Span;
  /** Size of the whole file in bytes. */
  total: number;
}

/** RFC 9110 section 14.4. Null for another unit, an unknown size, and ranges that are empty or exceed the file. */
export function parseContentRange(header: string | undefined): ContentRange | null {
  const [, first, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || size === undefined) return null;
  const [from, to, total] = [Number(first), Number(last) + 1, Number(size)];
  return from < to && to <= total ? { span: [from, to], total } : null;
}

/** The file size stated in a 416 response, or null. */
export function parseUnsatisfied(header: string | undefined): number | null {
  const size = /^bytes \*\/(\d{1,15})$/i.exec(header ?? '')?.[1];
  return size === undefined ? null : Number(size);
}

export function rangeHeader([from, to]: Span): string {
  return `bytes=${from}-${to - 1}`;
}
