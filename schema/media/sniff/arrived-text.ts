import type { Arrived } from './arrival.ts';
import { uint } from './bytes.ts';

const direct = 'Give a direct link to the file, such as the link behind a download button.';
const media = 'Give a link to a video, audio or image file.';
const playlist = 'Give a direct link to a media file. Playlists and streams are not supported.';
const captions = 'Give captions in `captions` or `captions_url` instead.';
const picture = 'Export it as PNG, JPEG or WebP.';

const kinds: readonly (readonly [pattern: RegExp, what: string, advice: string, captions?: true])[] = [
  [/^#EXTM3U[\s\S]*#EXT-X-/, 'an HLS playlist', playlist],
  [/^#EXTM3U/, 'an M3U playlist', playlist],
  [/^\[playlist\]/i, 'a PLS playlist', playlist],
  [/^<asx\b/i, 'an ASX playlist', playlist],
  [/^ffconcat version/, 'a list of files (ffconcat)', playlist],
  [/^\[reference\]/i, 'a list of streams', playlist],
  [/^v=0\r?\no=/, 'a description of a stream (SDP)', playlist],
  [/^WEBVTT\b/, 'captions (WebVTT)', captions, true],
  [/^\[script info\]/i, 'captions (ASS)', captions, true],
  [/^\d+\r?\n\d\d?:\d\d:\d\d[,.]\d{1,3} -->/, 'captions (SRT)', captions, true],
  [
    /^version https:\/\/git-lfs/,
    'a Git LFS pointer',
    'Give the link from which the file itself is downloaded.',
  ],
  [/^-----BEGIN PGP /, 'an encrypted file (PGP)', 'Decrypt it and give a link to its content.'],
  [/^#!/, 'an executable (a script)', media],
  [/^<\?php/i, 'a program (PHP)', media],
  [/^MIME-Version:/i, 'a saved web page (MHTML)', direct],
];

/** By the first elements of a markup document, skipping its declaration and comments. */
const elements: readonly (readonly [names: RegExp, what: string, advice: string])[] = [
  [
    /^(!doctype html|html|head|body|script|title|meta|link|div|style|h1|p|table|iframe)$/i,
    'a web page (HTML)',
    direct,
  ],
  [/^svg$|^!doctype svg/i, 'an image in an unsupported format (SVG)', picture],
  [/^MPD$/, 'a DASH manifest', playlist],
  [/^SmoothStreamingMedia$/, 'a Smooth Streaming manifest', playlist],
  [/^(tt|tt:tt)$/, 'captions (TTML)', captions],
  [/^(rss|feed)$/, 'a feed (RSS)', direct],
  [
    /^Error$/,
    'an error message from a storage service (XML)',
    'Check that the link is public and has not expired.',
  ],
  [/^asx$/i, 'an ASX playlist', playlist],
];

/** What kind of text it is; null for bytes that are not text. */
export function textArrived(head: Uint8Array): Arrived | null {
  const text = decoded(head);
  if (text === null) return null;
  const start = text.trimStart();
  const kind = kinds.find(([pattern]) => pattern.test(start));
  if (kind) {
    const [, what, advice, usable] = kind;
    return usable ? { what, advice, captions: true } : { what, advice };
  }
  if (start.startsWith('<')) return markup(start);
  if (isJson(start)) {
    return { what: 'a JSON document', advice: 'Give the link to the media file itself.', captions: true };
  }
  return { what: 'a text file', advice: media, captions: true };
}

function markup(text: string): Arrived {
  let rest = text;
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : null;
    if (end === null) break;
    const at = rest.indexOf(end);
    if (at < 0) break;
    rest = rest.slice(at + end.length).trimStart();
  }
  const name = /^<(!doctype\s+\w+|[\w:]+)/i.exec(rest)?.[1]?.replace(/\s+/, ' ') ?? '';
  const element = elements.find(([names]) => names.test(name));
  return element ? { what: element[1], advice: element[2] } : { what: 'an XML document', advice: media };
}

function isJson(text: string): boolean {
  return /^\{\s*("|\}|$)/.test(text) || /^\[\s*(["{[\d\]-]|true|false|null)/.test(text);
}

/** Decodes UTF-8 or UTF-16; null if it contains characters that text does not have. */
function decoded(head: Uint8Array): string | null {
  const mark = head.length >= 2 ? uint(head, 0, 2) : 0;
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : null;
  const text = encoding ? new TextDecoder(encoding).decode(head) : new TextDecoder('utf-8').decode(head);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && !(code >= 0x08 && code <= 0x0d) && code !== 0x1b) return null;
  }
  const broken = text.split('\ufffd').length - 1;
  // The last character may be cut off, and text in Windows-1252 decodes with occasional broken characters.
  return broken > 1 + text.length / 10 ? null : text;
}
