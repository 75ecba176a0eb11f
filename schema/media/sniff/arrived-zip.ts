import type { Arrived } from './arrival.ts';
import { latin1 } from './bytes.ts';

const media = 'Give a link to a video, audio or image file.';
const inside = 'Extract the media and give a link to it.';

/** Documents and programs that are ZIP archives, by the names of files in them. */
const kinds: readonly (readonly [name: string, what: string, advice: string])[] = [
  ['word/', 'a Word document (DOCX)', media],
  ['xl/', 'an Excel document (XLSX)', media],
  ['ppt/', 'a PowerPoint document (PPTX)', inside],
  ['[Content_Types].xml', 'an Office document', media],
  ['application/epub+zip', 'an e-book (EPUB)', media],
  ['application/vnd.oasis.opendocument', 'an OpenDocument file', media],
  ['AndroidManifest.xml', 'an executable (APK)', media],
  ['META-INF/', 'an executable (JAR)', media],
];

/** What kind of file a ZIP archive is; null for a plain archive. */
export function zipArrived(head: Uint8Array): Arrived | null {
  const text = latin1(head);
  const kind = kinds.find(([name]) => text.includes(name));
  return kind ? { what: kind[1], advice: kind[2] } : null;
}
