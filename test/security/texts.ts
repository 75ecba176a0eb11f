/** Playlists, documents and scripts under the name of media, by what they are; `canary` is a server that nothing may reach. */
export const texts: Record<string, (canary: string) => string | Buffer> = {
  'an HLS playlist of a segment at a server': (canary) => hls(`${canary}/a.ts`),
  'an HLS playlist of a local file': () => hls('file:///etc/passwd'),
  'an HLS playlist of concatenated files': () => hls('concat:/etc/hostname|/etc/passwd'),
  'an HLS playlist with a key at a server': (canary) =>
    hls('a.ts', `#EXT-X-KEY:METHOD=AES-128,URI="${canary}/key"`),
  'an HLS playlist with a map at a server': (canary) => hls('a.ts', `#EXT-X-MAP:URI="${canary}/map"`),
  'a master playlist of HLS': (canary) => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${canary}/b.m3u8\n`,
  'an HLS playlist of itself': () => hls('a'),
  'an HLS playlist behind a BOM': (canary) => `\ufeff${hls(`${canary}/a.ts`)}`,
  'an HLS playlist in UTF-16': (canary) => Buffer.from(`\ufeff${hls(`${canary}/a.ts`)}`, 'utf16le'),
  'an HLS playlist behind empty lines': (canary) => `\n\n  ${hls(`${canary}/a.ts`)}`,
  'an HLS playlist behind a NUL': (canary) => `\0${hls(`${canary}/a.ts`)}`,
  'a DASH manifest of a server': (canary) => dash(`<BaseURL>${canary}/</BaseURL>`),
  'a DASH manifest of a local file': () => dash('<BaseURL>file:///etc/passwd</BaseURL>'),
  'a DASH manifest whose media is empty': () => dash('<SegmentTemplate media="" initialization=""/>'),
  'a DASH manifest without a declaration': (canary) => `<MPD><BaseURL>${canary}/</BaseURL></MPD>`,
  'an IMF composition': (canary) =>
    `<?xml version="1.0"?><CompositionPlaylist><Id>urn:uuid:1</Id><Path>${canary}/a.mxf</Path></CompositionPlaylist>`,
  'an IMF asset map': (canary) =>
    `<?xml version="1.0"?><AssetMap><Asset><Path>${canary}/a</Path></Asset></AssetMap>`,
  'an ffconcat list of a relative file': () => 'ffconcat version 1.0\nfile ../../etc/passwd\n',
  'an ffconcat list of an absolute file': () => 'ffconcat version 1.0\nfile /etc/passwd\n',
  'an ffconcat list of a name with a line break': () => "ffconcat version 1.0\nfile 'a\n/etc/passwd'\n",
  'a list of files without its head': () => "file '/etc/passwd'\n",
  'an SDP': () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=a\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n',
  'an SVG with the address of a file': () => svg('<image href="file:///etc/passwd"/>'),
  'an SVG with the address of a server': (canary) => svg(`<image href="${canary}/a.png"/>`),
  'an SVG with an entity of a local file': () =>
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('<text>&x;</text>')}`,
  'an XML bomb': () => {
    const entities = Array.from({ length: 12 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
    return `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${entities.join('')}]><x>&l12;</x>`;
  },
  'an ASS script with the path of a font': () => ass('{\\fn/etc/passwd}hi', 1),
  'an ASS script of 100 000 events': () => ass('hi', 100_000),
  'an SRT of one line of 50 MB': () =>
    Buffer.concat([Buffer.from('1\n00:00:00,000 --> 00:00:01,000\n'), Buffer.alloc(50e6, 'a')]),
  'a WebVTT': () => 'WEBVTT\n\n00:00.000 --> 00:01.000\nhi\n',
  'a page': () => '<!doctype html><title>no</title>',
  'a program': () => Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01', 'latin1'), Buffer.alloc(4000)]),
  'a shell script': () => '#!/bin/sh\ncat /etc/passwd\n',
  'a ZIP': () => Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(4000)]),
  'a PDF': () => '%PDF-1.7\n1 0 obj\n<</Type /Catalog>>\n',
  JSON: () => '{"file": "/etc/passwd"}',
  zeros: () => Buffer.alloc(100_000),
  'nothing at all': () => '',
  'one byte': () => 'a',
};

const hls = (segment: string, line = '') =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${line}\n#EXTINF:1,\n${segment}\n#EXT-X-ENDLIST\n`;
const dash = (inner: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><AdaptationSet><Representation id="1">${inner}</Representation></AdaptationSet></Period></MPD>`;
const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
const ass = (text: string, events: number) =>
  `[Script Info]\nTitle: a\n[Events]\n${`Dialogue: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,${text}\n`.repeat(events)}`;
