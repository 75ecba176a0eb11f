import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeAll, failureOf, MB, makeDirectory, opened, removeDirectory, serve } from './range-stand.ts';

beforeAll(makeDirectory);
afterAll(removeDirectory);
afterEach(closeAll);

function box(type: string, body: Buffer, size = body.length + 8): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(size);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
}

const ftyp = box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2avc1mp41', 'latin1'));
const index = box('moov', Buffer.alloc(50_000));

describe.each([
  ['small', 100_000],
  ['large', 6 * MB],
])('a %s mp4', (_, length) => {
  const media = Buffer.alloc(length, 7);
  const whole = Buffer.concat([ftyp, box('mdat', media), index]);
  const before = whole.length - index.length;

  test.each([
    ['within its media data', whole.subarray(0, length / 2), /has only \d+ bytes of \d+ or more/],
    ['within its index', whole.subarray(0, before + 1000), /has only \d+ bytes of \d+ or more/],
    ['right before its index', whole.subarray(0, before), /has no index \(`moov`\)/],
    [
      'while it was recorded, with an open length',
      Buffer.concat([ftyp, box('mdat', media, 0)]),
      /its recording was interrupted/,
    ],
  ])('that was cut off %s is called incomplete before it is fetched', async (_, bytes, said) => {
    const origin = await serve({}, bytes);
    const { code, message, retryable } = await failureOf(opened(origin));
    expect({ code, retryable }).toEqual({ code: 'source_truncated', retryable: false });
    expect(message).toMatch(said);
    expect(origin.sent()).toBeLessThanOrEqual(4 * MB + 200_000);
  });

  test.each([
    ['with its index at the end', whole],
    [
      'with its index at the beginning, cut off later',
      Buffer.concat([ftyp, index, box('mdat', media)]).subarray(0, length),
    ],
    ['in segments, without an index', Buffer.concat([ftyp, box('moof', media)]).subarray(0, length)],
    ['that ends in something else', Buffer.concat([ftyp, box('mdat', media), Buffer.alloc(64, 0xff)])],
  ])('%s is opened', async (_, bytes) => {
    expect((await opened(await serve({}, bytes))).format).toBe('mov');
  });
});
