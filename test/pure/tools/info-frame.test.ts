import { describe, expect, it } from 'vitest';
import { FrameSplitter } from '../../../web/tools/mp4-to-mp3/sound/frame-splitter.ts';
import { infoFrame, infoFrameBytes } from '../../../web/tools/mp4-to-mp3/sound/info-frame.ts';
import { readMp3Frame } from '../../../web/tools/mp4-to-mp3/sound/mp3-frame.ts';

/** Headers of the first frames of files that LAME wrote. */
const headers = {
  '48 kHz, joint stereo, 192 kbit/s': [0xff, 0xfb, 0xb4, 0x64],
  '44.1 kHz, mono, 128 kbit/s': [0xff, 0xfb, 0x90, 0xc4],
  '32 kHz, stereo, 320 kbit/s': [0xff, 0xfb, 0xe8, 0x04],
  '22.05 kHz, mono, 64 kbit/s': [0xff, 0xf3, 0x80, 0xc4],
  '8 kHz, mono, 8 kbit/s': [0xff, 0xe3, 0x18, 0xc4],
  '48 kHz with a checksum': [0xff, 0xfa, 0xb4, 0x64],
};

const summary = (header: number[]) => ({
  header: Uint8Array.from(header),
  positions: Array.from({ length: 250 }, (_, index) => index * 576),
  bytes: 250 * 576,
  gaps: { delay: 576, padding: 1347 },
  isConstant: true,
});

const ascii = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));

describe('an MP3 frame', () => {
  it.each([
    [
      '48 kHz, joint stereo, 192 kbit/s',
      { sampleRate: 48000, channels: 2, bitrate: 192, samples: 1152, bytes: 576 },
    ],
    [
      '44.1 kHz, mono, 128 kbit/s',
      { sampleRate: 44100, channels: 1, bitrate: 128, samples: 1152, bytes: 417 },
    ],
    ['22.05 kHz, mono, 64 kbit/s', { sampleRate: 22050, channels: 1, bitrate: 64, samples: 576, bytes: 208 }],
    ['8 kHz, mono, 8 kbit/s', { sampleRate: 8000, channels: 1, bitrate: 8, samples: 576, bytes: 72 }],
  ] as const)('is read: %s', (name, frame) => {
    expect(readMp3Frame(Uint8Array.from(headers[name]))).toMatchObject(frame);
  });

  it.each([
    ['ID3', [0x49, 0x44, 0x33, 4]],
    ['layer II', [0xff, 0xfd, 0xb4, 0x64]],
    ['a bitrate that is not known', [0xff, 0xfb, 0x04, 0x64]],
    ['a reserved sample rate', [0xff, 0xfb, 0xbc, 0x64]],
    ['too few bytes', [0xff]],
  ])('is not found in %s', (_, bytes) => {
    expect(readMp3Frame(Uint8Array.from(bytes))).toBeNull();
  });
});

describe('the info frame', () => {
  it.each(Object.entries(headers))(
    'is a frame of the same kind, of the length that was reserved: %s',
    (_, header) => {
      const frame = infoFrame(summary(header));
      const [own, first] = [readMp3Frame(frame), readMp3Frame(Uint8Array.from(header))];
      expect(own).toMatchObject({
        bytes: frame.length,
        sampleRate: first?.sampleRate,
        channels: first?.channels,
      });
      expect(frame.length).toBe(infoFrameBytes(Uint8Array.from(header)));
      expect((frame[1] ?? 0) & 1).toBe(1);
    },
  );

  it('counts the frames of sound without itself, and the bytes with itself', () => {
    const frame = infoFrame(summary(headers['48 kHz, joint stereo, 192 kbit/s']));
    const view = new DataView(frame.buffer);
    expect(ascii(frame, 36, 4)).toBe('Info');
    expect(view.getUint32(44)).toBe(250);
    expect(view.getUint32(48)).toBe(frame.length + 250 * 576);
    const toc = [...frame.subarray(52, 152)];
    expect(toc).toEqual(toc.toSorted((a, b) => a - b));
    expect([toc[0], toc[50]]).toEqual([0, 128]);
  });

  it('says how many samples at either end are not sound, in twelve bits each', () => {
    const gaps = (delay: number, padding: number) => {
      const header = headers['48 kHz, joint stereo, 192 kbit/s'];
      return [...infoFrame({ ...summary(header), gaps: { delay, padding } }).subarray(177, 180)];
    };
    expect(gaps(576, 1347)).toEqual([0x24, 0x05, 0x43]);
    expect(gaps(5000, -3)).toEqual([0xff, 0xf0, 0x00]);
  });

  it('has no name of an encoder where the gaps are not known: players skip nothing', () => {
    const frame = infoFrame({
      ...summary(headers['48 kHz, joint stereo, 192 kbit/s']),
      gaps: null,
      isConstant: false,
    });
    expect(ascii(frame, 36, 4)).toBe('Xing');
    expect(ascii(frame, 156, 4)).not.toBe('LAME');
  });

  it('ends with the checksum of LAME', () => {
    // The CRC-16 of a text followed by its own checksum, low byte first, is 0.
    const frame = infoFrame(summary(headers['48 kHz, joint stereo, 192 kbit/s']));
    const crc = [...frame.subarray(0, 190), frame[191] ?? 0, frame[190] ?? 0].reduce((sum, byte) => {
      let next = sum ^ byte;
      for (let bit = 0; bit < 8; bit++) next = next & 1 ? (next >> 1) ^ 0xa001 : next >> 1;
      return next;
    }, 0);
    expect(crc).toBe(0);
  });
});

describe('what an encoder puts out', () => {
  const frameOf = (header: number[], fill: number) => {
    const frame = new Uint8Array(readMp3Frame(Uint8Array.from(header))?.bytes ?? 0).fill(fill);
    frame.set(header);
    return frame;
  };
  const frames = Object.values(headers).flatMap((header, index) => [
    frameOf(header, index),
    frameOf(header, index + 1),
  ]);
  const stream = new Uint8Array(Buffer.concat(frames));

  it.each([1, 3, 4, 100, 577, stream.length])('is divided into frames, by %i bytes at a time', (step) => {
    const splitter = new FrameSplitter();
    const found: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += step)
      found.push(...splitter.push(stream.subarray(at, at + step)));
    expect(found).toEqual(frames);
  });

  it('is refused where no frame begins', () => {
    expect(() => new FrameSplitter().push(Uint8Array.from([0, 1, 2, 3, 4]))).toThrow('other than MP3');
  });
});
