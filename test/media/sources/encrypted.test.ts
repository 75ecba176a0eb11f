import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { ebml, elementsOf } from '../../fixtures/ebml.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const video_url = 'https://media.example.com/film.mp4';
const requests = [
  ['probe', { url: video_url }],
  ['remux', { video_url, strip: 'all' }],
  ['cut', { video_url, start: 0.5, duration: 2 }],
] as const;

/** Common encryption, which libav opens without a key as if nothing were encrypted. */
const scheme = [
  ...['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'],
  ...['-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'],
];

test.each(
  sampled(
    [
      ['front', ['-movflags', '+faststart']],
      ['back', []],
    ],
    3,
  ),
)(
  'an encrypted file, its index at the %s, is refused by name before anything is copied',
  async (name, flags) => {
    const file = join(scratch(), `${name}.mp4`);
    const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-c', 'copy'];
    await run(programs, 'ffmpeg', [...args, ...scheme, ...flags, file]);
    await expectRefused(file);
  },
);

async function expectRefused(file: string): Promise<void> {
  for (const [operation, request] of requests) {
    const { code, detail } = await failureOf(operateOn(operation, [file], request));
    expect([operation, code, detail]).toEqual([
      ...[operation, 'source_not_media'],
      'The source is an encrypted file (DRM). Give a copy without copy protection.',
    ]);
  }
}

const matroska = { tracks: 0x1654ae6b, track: 0xae, encodings: 0x6d80, encoding: 0x6240 };
const encryption = { scope: 0x5032, kind: 0x5033, content: 0x5035, algorithm: 0x47e1, key: 0x47e2 };

/** Says of a track that its frames are encrypted with AES (RFC 9559 section 5.1.4.1.31). */
const aes = ebml(
  matroska.encodings,
  ebml(
    matroska.encoding,
    ebml(encryption.scope, Buffer.from([1])),
    ebml(encryption.kind, Buffer.from([1])),
    ebml(
      encryption.content,
      ebml(encryption.algorithm, Buffer.from([5])),
      ebml(encryption.key, Buffer.from('a7e61c373e219033c21091fa607bf3b8', 'hex')),
    ),
  ),
);

test.each(
  sampled(
    [
      ['the picture', 0],
      ['the sound', 1],
    ],
    3,
  ),
)('a Matroska file in which %s is encrypted is refused by name', async (_, encrypted) => {
  const [head, segment] = elementsOf(await readFile(fixture('plain.mkv')));
  if (!head || !segment) throw new Error('the fixture is not Matroska');
  const parts = elementsOf(segment.content).map(({ id, content }) => {
    if (id !== matroska.tracks) return ebml(id, content);
    const entries = elementsOf(content).filter((entry) => entry.id === matroska.track);
    const tracks = entries.map((entry, index) =>
      ebml(entry.id, entry.content, ...(index === encrypted ? [aes] : [])),
    );
    return ebml(id, ...tracks);
  });
  const file = join(scratch(), `encrypted-${encrypted}.mkv`);
  await writeFile(file, Buffer.concat([ebml(head.id, head.content), ebml(segment.id, ...parts)]));
  await expectRefused(file);
});

/** A transport stream of which some packets say that they are scrambled, and are. */
async function scrambled(which: (packet: number, pid: number) => boolean, m2ts: boolean): Promise<string> {
  const file = join(scratch(), `scrambled.${m2ts ? 'm2ts' : 'ts'}`);
  const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-c', 'copy', '-f', 'mpegts'];
  await run(programs, 'ffmpeg', [...args, ...(m2ts ? ['-mpegts_m2ts_mode', '1'] : []), file]);
  const bytes = await readFile(file);
  const [length, sync] = m2ts ? [192, 4] : [188, 0];
  for (let at = sync, packet = 0; at < bytes.length; at += length, packet++) {
    if (!which(packet, bytes.readUInt16BE(at + 1) & 0x1fff)) continue;
    bytes.writeUInt8(bytes.readUInt8(at + 3) | 0x80, at + 3);
    const adaptation = bytes.readUInt8(at + 3) & 0x20 ? bytes.readUInt8(at + 4) + 1 : 0;
    for (let byte = at + 4 + adaptation; byte < at + 188; byte++) bytes[byte] = (bytes[byte] ?? 0) ^ 0xa5;
  }
  await writeFile(file, bytes);
  return file;
}

/** The packet identifiers that ffmpeg gives the tracks. */
const pids = { ts: [0x100, 0x101], m2ts: [0x1011, 0x1100] };

// The first packets of a recording are often clear.
const scrambledTracks = (m2ts: boolean) =>
  scrambled((packet, pid) => packet > 40 && pids[m2ts ? 'm2ts' : 'ts'].includes(pid), m2ts);

test.each(
  sampled(
    [
      ['transport stream', false],
      ['m2ts file', true],
    ],
    3,
  ),
)('a scrambled %s is refused by name', async (_, m2ts) => {
  await expectRefused(await scrambledTracks(m2ts));
});

test.each(
  sampled(
    [
      ['transport stream that begins within a packet', false],
      ['m2ts file that begins within a packet', true],
    ],
    3,
  ),
)('a scrambled %s is refused by name as well', async (_, m2ts) => {
  const file = await scrambledTracks(m2ts);
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(100));
  await expectRefused(file);
});

test('a scrambled transport stream with bytes for repair behind each packet is refused by name', async () => {
  const file = await scrambledTracks(false);
  const bytes = await readFile(file);
  const packets = Array.from({ length: bytes.length / 188 }, (_, at) =>
    bytes.subarray(at * 188, at * 188 + 188),
  );
  await writeFile(file, Buffer.concat(packets.flatMap((packet) => [packet, Buffer.alloc(16, 0xff)])));
  await expectRefused(file);
});

test('a transport stream with clear pictures and one marked packet is not taken for scrambled', async () => {
  const file = await scrambled((packet, pid) => packet === 200 && pids.ts.includes(pid), false);
  const { data } = await operateOn('probe', [file], { url: video_url });
  expect(data).toMatchObject({ container: 'mpegts' });
});
