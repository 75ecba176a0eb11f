import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { pictureSize } from '../../../transcoder/media/verify/image-size.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-size-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const START = Buffer.from('ffd8', 'hex');
/** The header of a frame of 64 by 32 in three components, and the end. */
const FRAME = Buffer.from('ffc0001108002000400301110002110103110100ffd9', 'hex');
const profile = (bytes: number) => {
  const segment = Buffer.alloc(2 + 65_535);
  segment.writeUInt16BE(0xffe2, 0);
  segment.writeUInt16BE(65_535, 2);
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / segment.length) }, () => segment));
};

it.each([
  ['as cameras write it', Buffer.concat([START, FRAME])],
  ['with bytes that fill up to a marker', Buffer.concat([START, Buffer.from('ffffff', 'hex'), FRAME])],
  ['behind a color profile of 3 MB', Buffer.concat([START, profile(3e6), FRAME])],
])('the size of a JPEG is read %s', async (name, bytes) => {
  const path = join(directory, name);
  writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(32)]));
  expect(await pictureSize(path)).toEqual({ format: 'jpeg', width: 64, height: 32 });
});
