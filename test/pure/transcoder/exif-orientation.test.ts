import { expect, test } from 'vitest';
import { orientationIn } from '../../../transcoder/media/analyses/exif-orientation.ts';
import { withOrientation } from '../../fixtures/orientation.ts';

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xd9]), Buffer.alloc(32)]);
const turned = withOrientation(jpeg, 6);
const behindStart = (...bytes: number[]) =>
  Buffer.concat([turned.subarray(0, 2), Buffer.from(bytes), turned.subarray(2)]);

test.each([
  ['right behind the first marker', turned],
  ['behind a comment', behindStart(0xff, 0xfe, 0, 4, 1, 2)],
  ['behind bytes that fill up', behindStart(0xff, 0xff, 0xff)],
  ['behind stray bytes', behindStart(0, 7, 0)],
])('the orientation of a JPEG is found %s', (_, bytes) => {
  expect(orientationIn(bytes)).toBe(6);
});

test('a JPEG without one is upright, also where its last segment states more than there is', () => {
  expect(orientationIn(jpeg)).toBe(1);
  expect(orientationIn(Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(40, 0xff)]))).toBe(1);
  expect(orientationIn(turned.subarray(0, 32))).toBe(1);
});
