import type { Arrived } from './arrival.ts';
import { textArrived } from './arrived-text.ts';
import { zipArrived } from './arrived-zip.ts';
import { latin1, uint } from './bytes.ts';

const unpack = 'Unpack it and give a link to the media file itself.';
const convert = 'Export it as PNG, JPEG or WebP.';
const remake = 'Convert it to MP4, WAV or another format listed in /docs/formats.';
const media = 'Give a link to a video, audio or image file.';
const unlock = 'Give a copy without copy protection.';

/** Signatures by position; the first match counts. */
const signatures: readonly (readonly [at: number, signature: string, what: string, advice: string])[] = [
  [0, '%PDF-', 'a PDF', media],
  [0, '7z\xbc\xaf\x27\x1c', 'a 7z archive', unpack],
  [0, 'Rar!\x1a\x07', 'a RAR archive', unpack],
  [0, '\x1f\x8b', 'a gzip archive', unpack],
  [0, 'BZh', 'a bzip2 archive', unpack],
  [0, '\xfd7zXZ\0', 'an xz archive', unpack],
  [0, '\x28\xb5\x2f\xfd', 'a Zstandard archive', unpack],
  [0, '\x04\x22\x4d\x18', 'an LZ4 archive', unpack],
  [0, 'MSCF\0\0\0\0', 'a CAB archive', unpack],
  [0, '!<arch>\n', 'an ar archive', unpack],
  [257, 'ustar', 'a tar archive', unpack],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'an Office document', media],
  [0, '{\\rtf', 'an RTF document', media],
  [0, '\x7fELF', 'an executable (ELF)', media],
  [0, '\xcf\xfa\xed\xfe', 'an executable (Mach-O)', media],
  [0, '\xce\xfa\xed\xfe', 'an executable (Mach-O)', media],
  [0, '\xca\xfe\xba\xbe', 'an executable', media],
  [0, '\0asm', 'an executable (WebAssembly)', media],
  [0, 'MZ', 'an executable (Windows)', media],
  [0, 'SQLite format 3\0', 'a database (SQLite)', media],
  [0, 'wOFF', 'a font', media],
  [0, 'wOF2', 'a font', media],
  [0, 'OTTO', 'a font', media],
  [0, '\0\x01\0\0\0', 'a font', media],
  [0, 'd8:announce', 'a torrent', media],
  [0, 'Salted__', 'an encrypted file (OpenSSL)', 'Decrypt it and give a link to its content.'],
  [0, 'age-encryption.org/', 'an encrypted file (age)', 'Decrypt it and give a link to its content.'],
  [0, '8BPS', 'an image in an unsupported format (PSD)', convert],
  [0, 'II*\0', 'an image in an unsupported format (TIFF)', convert],
  [0, 'MM\0*', 'an image in an unsupported format (TIFF)', convert],
  [0, '\0\0\x01\0', 'an image in an unsupported format (ICO)', convert],
  [0, '\x76\x2f\x31\x01', 'an image in an unsupported format (EXR)', convert],
  [0, '\xff\x0a', 'an image in an unsupported format (JPEG XL)', convert],
  [4, 'JXL \r\n\x87\n', 'an image in an unsupported format (JPEG XL)', convert],
  [4, 'jP  \r\n\x87\n', 'an image in an unsupported format (JPEG 2000)', convert],
  [0, 'DDS ', 'an image in an unsupported format (DDS)', convert],
  [0, 'qoif', 'an image in an unsupported format (QOI)', convert],
  [0, 'MThd', 'a MIDI file, which contains notes but no audio', 'Render it to WAV.'],
  [0, '.RMF', 'media in an unsupported format (RealMedia)', remake],
  [0, 'FWS', 'a Flash program (SWF)', remake],
  [0, 'CWS', 'a Flash program (SWF)', remake],
  [0, 'MAC ', "media in an unsupported format (Monkey's Audio)", remake],
  [0, 'TTA1', 'media in an unsupported format (True Audio)', remake],
  [0, 'DSD ', 'media in an unsupported format (DSD)', remake],
  [0, '\x7f\xfe\x80\x01', 'media in an unsupported format (DTS)', remake],
  [8, 'RMID', 'a MIDI file, which contains notes but no audio', 'Render it to WAV.'],
  [8, 'CDXA', 'media in an unsupported format (Video CD)', remake],
];

/** Pictures by mp4 brand. ISO/IEC 23008-12. */
const pictures: Readonly<Record<string, string>> = {
  ...{ heic: 'HEIC', heix: 'HEIC', heim: 'HEIC', heis: 'HEIC', hevc: 'HEIC sequence' },
  ...{ mif1: 'HEIF', msf1: 'HEIF', avif: 'AVIF', avis: 'AVIF sequence', 'crx ': 'CR3' },
};

/** Other file types by mp4 brand that do not open as video or audio. ISO/IEC 14496-12 section 4.3. */
const brands: Readonly<Record<string, Arrived>> = {
  'aax ': { what: 'an encrypted audio book (AAX)', advice: unlock },
  aaxc: { what: 'an encrypted audio book (AAXC)', advice: unlock },
  'M4P ': { what: 'a protected track (M4P)', advice: unlock },
};

const brandOf = (head: Uint8Array) => (latin1(head, 4, 8) === 'ftyp' ? latin1(head, 8, 12) : '');

/**
 * Whether this is a picture in the boxes of mp4, which lists its items behind its brands. libav counts them as videos that last for
 * seconds or hours, before the tracks that ffmpeg counts from 0.
 */
export const isBoxedPicture = (head: Uint8Array) => {
  const end = uint(head, 0, 4);
  return pictures[brandOf(head)] !== undefined && latin1(head, end + 4, end + 8) === 'meta';
};

/** Local file header, empty archive, and split archive. */
const zips: readonly string[] = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'];

/**
 * Whether this is a WebP with several frames, which ffmpeg does not decode: the second flag bit of its VP8X chunk.
 * https://developers.google.com/speed/webp/docs/riff_container#extended_file_format
 */
export const isAnimatedWebp = (head: Uint8Array) =>
  latin1(head, 8, 16) === 'WEBPVP8X' && ((head[20] ?? 0) & 0x02) !== 0;

/** What a file that does not open as media is, judged by its first bytes; null if unknown. */
export function whatArrived(head: Uint8Array): Arrived | null {
  if (head.length === 0) return { what: 'an empty file', advice: 'Check that the upload is complete.' };
  const text = (at: number, length: number) => latin1(head, at, at + length);
  const picture = pictures[brandOf(head)];
  if (picture) return { what: `an image in an unsupported format (${picture})`, advice: convert };
  const brand = brands[brandOf(head)];
  if (brand) return brand;
  if (isAnimatedWebp(head)) {
    return { what: 'an animated WebP, which cannot be read', advice: 'Convert it to MP4, GIF or APNG.' };
  }
  if (zips.includes(text(0, 4))) return zipArrived(head) ?? { what: 'a ZIP archive', advice: unpack };
  const known = signatures.find(([at, signature]) => text(at, signature.length) === signature);
  if (known) return { what: known[2], advice: known[3] };
  if (head.every((byte) => byte === 0)) {
    return { what: 'a file of zeros', advice: 'Check that the upload is complete.' };
  }
  return textArrived(head);
}
