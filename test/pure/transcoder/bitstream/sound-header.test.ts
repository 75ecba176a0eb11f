import { expect, test } from 'vitest';
import { configuredSound } from '../../../../transcoder/bitstream/aac-config.ts';
import { soundHeader } from '../../../../transcoder/bitstream/sound-header.ts';

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

test.each([
  ['ac3', '0b77b50b1e40ebf840', 48_000, 6],
  ['ac3', '0b771ef84c402f842b', 44_100, 1],
  ['eac3', '0b77023fb487c00000', 32_000, 2],
  ['aac', 'fff15180327ffcde02', 44_100, 6],
  ['mp2', 'fff5e4c4ffffffffff', 24_000, 1],
  ['mp3', 'ffe34064000dac4542', 11_025, 2],
])(
  'a frame of %s that ffmpeg wrote states its sample rate and channels: %s',
  (codec, hex, sampleRate, channels) => {
    expect(soundHeader(codec, bytes(hex))).toEqual({ sampleRate, channels });
  },
);

test.each([
  ['of another codec', 'opus', '0b77b50b1e40ebf840'],
  ['without the sync word', 'ac3', '0b78b50b1e40ebf840'],
  ['that is cut off', 'ac3', '0b77b5'],
  ['of AAC in mp4', 'aac', '210a4f2000'],
  ['with a sample rate that is reserved', 'mp3', 'fffbac64'],
])('a frame %s states nothing', (_, codec, hex) => {
  expect(soundHeader(codec, bytes(hex))).toBeNull();
});

test('a configuration of AAC states them, too', () => {
  expect(configuredSound(bytes('1190'))).toEqual({ sampleRate: 48_000, channels: 2 });
  expect(configuredSound(bytes('1208'))).toEqual({ sampleRate: 44_100, channels: 1 });
  expect(configuredSound(bytes('12'))).toBeNull();
});
