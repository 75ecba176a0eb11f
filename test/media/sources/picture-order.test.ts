import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { H264Order } from '../../../transcoder/bitstream/h264-order.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { codedPictures } from '../../fixtures/demuxed.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { scratch } from '../scratch.ts';

/** What the bitstream of H.264 tells of the order in which its pictures are shown, and the order of the times that a muxer wrote. */
async function ordersOf(params: string, more: string[] = [], container = 'mp4') {
  const path = join(scratch(), `${`${params}-${more.join('')}`.replaceAll(/\W/g, '-')}.${container}`);
  const coded = ['-an', '-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params, ...more];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('no-sound.mp4'), ...coded, path]);
  const { extradata, packets } = await codedPictures(path);
  const followed = new H264Order(extradata);
  for (const { data } of packets) followed.take(data);
  const timed = [...packets.keys()].sort((a, b) => (packets[a]?.pts ?? 0) - (packets[b]?.pts ?? 0));
  return { followed, timed };
}

describe('the order of pictures follows from their headers', () => {
  test.each(
    sampled(
      [
        ['B-frames', 'bframes=3:keyint=40:scenecut=0', []],
        ['a pyramid', 'bframes=7:b-pyramid=normal:b-adapt=0:keyint=250', []],
        ['open groups', 'bframes=3:open-gop=1:keyint=25:scenecut=0', []],
        ['no B-frames', 'bframes=0:keyint=25', []],
        ['pictures in one group whose counts wrap', 'bframes=2:keyint=infinite:b-pyramid=strict', []],
        ['several slices', 'bframes=2:slices=4:keyint=30', []],
        ['interlaced frames', 'bframes=2:tff=1:keyint=30', []],
        ['the Baseline profile', 'keyint=30', ['-profile:v', 'baseline']],
        ['pictures without CABAC', 'bframes=2:cabac=0:weightp=2:weightb=1:keyint=30', []],
        ['10 bits', 'bframes=2:keyint=30', ['-pix_fmt', 'yuv420p10le']],
        ['4:4:4', 'bframes=2:keyint=30', ['-pix_fmt', 'yuv444p']],
      ],
      3,
    ),
  )('with %s', async (_, params, more) => {
    const { followed, timed } = await ordersOf(params, more);
    expect(followed.shown({ once: false })).toEqual(timed);
  });

  test('in a byte stream whose sets are between the pictures', async () => {
    const { followed, timed } = await ordersOf('bframes=2:keyint=30', ['-muxdelay', '0'], 'ts');
    expect(followed.shown({ once: true })).toEqual(timed);
  });
});

describe('the order of pictures is left to a decoder', () => {
  test('where pictures may be shown for longer, and their lengths matter', async () => {
    const { followed, timed } = await ordersOf('bframes=2:keyint=30:pic-struct=1');
    expect(followed.shown({ once: true })).toBeNull();
    expect(followed.shown({ once: false })).toEqual(timed);
  });

  test('where the first picture is not an IDR picture', async () => {
    const path = join(scratch(), 'whole.mp4');
    const coded = ['-an', '-c:v', 'libx264', '-x264-params', 'bframes=2:keyint=30'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('no-sound.mp4'), ...coded, path]);
    const { extradata, packets } = await codedPictures(path);
    const followed = new H264Order(extradata);
    for (const { data } of packets.slice(1)) followed.take(data);
    expect(followed.shown({ once: false })).toBeNull();
  });

  test('where a packet is damaged, or none of its sets is known', async () => {
    const { extradata, packets } = await codedPictures(fixture('no-sound.mp4'));
    const damaged = new H264Order(extradata);
    for (const { data } of packets) damaged.take(data.subarray(0, 8));
    expect(damaged.shown({ once: false })).toBeNull();
    const unknown = new H264Order(Uint8Array.of(1, 100, 0, 30, 0xff, 0xe0, 0));
    for (const { data } of packets) unknown.take(data);
    expect(unknown.shown({ once: false })).toBeNull();
  });
});
