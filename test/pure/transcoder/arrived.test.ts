import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { whatArrived } from '../../../schema/media/sniff/arrived.ts';
import { demuxerOf } from '../../../schema/media/sniff/demuxer-of.ts';

const zip = (name: string) => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(26), Buffer.from(name)]);
const box = (brand: string) => Buffer.from(`\0\0\0\x14ftyp${brand}\0\0\0\0mif1`, 'latin1');
const tar = Buffer.alloc(512);
tar.write('talk.mp4', 0);
tar.write('ustar', 257);

const others: [name: string, bytes: Buffer | string, what: string][] = [
  ['nothing', '', 'an empty file'],
  ['zeros', Buffer.alloc(4096), 'a file of zeros'],
  ['html', '<!DOCTYPE html><html><head>', 'a web page (HTML)'],
  ['html behind spaces and comments', '\n  <!-- saved -->\n<HTML lang=en>', 'a web page (HTML)'],
  ['html with a mark', '\ufeff<html>', 'a web page (HTML)'],
  ['html in UTF-16', Buffer.from('\ufeff<html><body>', 'utf16le'), 'a web page (HTML)'],
  ['xhtml', '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', 'a web page (HTML)'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg">', 'an image in an unsupported format (SVG)'],
  [
    'svg with a declaration',
    '<?xml version="1.0"?>\n<!-- x -->\n<svg>',
    'an image in an unsupported format (SVG)',
  ],
  [
    'storage',
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code>',
    'an error message from a storage service (XML)',
  ],
  ['xml', '<?xml version="1.0"?><catalog>', 'an XML document'],
  ['dash', '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011">', 'a DASH manifest'],
  ['hls', '#EXTM3U\n#EXT-X-VERSION:3\n', 'an HLS playlist'],
  ['m3u', '#EXTM3U\nsong.mp3', 'an M3U playlist'],
  ['pls', '[playlist]\nFile1=http://a/', 'a PLS playlist'],
  ['ffconcat', 'ffconcat version 1.0\nfile a.mp4', 'a list of files (ffconcat)'],
  ['sdp', 'v=0\r\no=- 0 0 IN IP4 127.0.0.1', 'a description of a stream (SDP)'],
  ['json', '{"error":"not found"}', 'a JSON document'],
  ['json list', '[{"id":1}]', 'a JSON document'],
  ['text', 'Not found', 'a text file'],
  ['text in Latin-1', Buffer.from('Le fichier a été supprimé', 'latin1'), 'a text file'],
  ['vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi', 'captions (WebVTT)'],
  ['srt', '1\n00:00:00,000 --> 00:00:01,000\nHi', 'captions (SRT)'],
  ['ass', '[Script Info]\nTitle: x', 'captions (ASS)'],
  ['lfs', 'version https://git-lfs.github.com/spec/v1\noid sha256:x', 'a Git LFS pointer'],
  ['pdf', '%PDF-1.7\n%\xe2\xe3', 'a PDF'],
  ['zip', zip('talk.mp4'), 'a ZIP archive'],
  ['docx', zip('word/document.xml'), 'a Word document (DOCX)'],
  ['pptx', zip('ppt/presentation.xml'), 'a PowerPoint document (PPTX)'],
  ['epub', zip('mimetypeapplication/epub+zip'), 'an e-book (EPUB)'],
  ['gzip', gzipSync('x'), 'a gzip archive'],
  ['7z', Buffer.from('7z\xbc\xaf\x27\x1c\0\x04', 'latin1'), 'a 7z archive'],
  ['rar', Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'), 'a RAR archive'],
  ['tar', tar, 'a tar archive'],
  ['doc', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), 'an Office document'],
  ['elf', Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'), 'an executable (ELF)'],
  ['exe', Buffer.from('MZ\x90\0\x03\0', 'latin1'), 'an executable (Windows)'],
  ['script', '#!/bin/sh\nrm -rf x', 'an executable (a script)'],
  ['heic', box('heic'), 'an image in an unsupported format (HEIC)'],
  ['avif', box('avif'), 'an image in an unsupported format (AVIF)'],
  ['tiff', Buffer.from('II*\0\x08\0\0\0', 'latin1'), 'an image in an unsupported format (TIFF)'],
  ['psd', Buffer.from('8BPS\0\x01', 'latin1'), 'an image in an unsupported format (PSD)'],
  [
    'animated webp',
    Buffer.concat([Buffer.from('RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0'), Buffer.from([0x02, 0, 0, 0])]),
    'an animated WebP, which cannot be read',
  ],
  ['audible', box('aax '), 'an encrypted audio book (AAX)'],
  ['openssl', 'Salted__\x01\x02\x03', 'an encrypted file (OpenSSL)'],
  ['midi', Buffer.from('MThd\0\0\0\x06', 'latin1'), 'a MIDI file, which contains notes but no audio'],
];

describe('a file that is no media we read is called by its name', () => {
  test.each(others)('%s', (_, content, what) => {
    const bytes =
      typeof content === 'string' ? Buffer.from(content, /\xe2/.test(content) ? 'latin1' : 'utf8') : content;
    expect(whatArrived(bytes)).toMatchObject({ what });
    // What an mp4 box begins may open all the same, and is named where it does not.
    expect(demuxerOf(bytes)).toBe(bytes.toString('latin1', 4, 8) === 'ftyp' ? 'mov' : null);
  });

  test.each([
    ['heic', 'HEIC'],
    ['avif', 'AVIF'],
    ['avis', 'AVIF sequence'],
  ])('a picture with items is not opened as a video: %s', (brand, name) => {
    const items = Buffer.from('\0\0\0\x21meta\0\0\0\0\0\0\0\x15hdlr\0\0\0\0\0\0\0\0pict', 'latin1');
    const bytes = Buffer.concat([box(brand), items]);
    expect(demuxerOf(bytes)).toBe(null);
    expect(whatArrived(bytes)).toMatchObject({ what: `an image in an unsupported format (${name})` });
    // A recording may have such brands, too.
    expect(demuxerOf(Buffer.concat([box(brand), Buffer.from('\0\0\0\x08moov', 'latin1')]))).toBe('mov');
  });

  test('bytes that say nothing have no name', () => {
    const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 7919 + 13) % 251));
    expect(whatArrived(noise)).toBeNull();
  });
});
