import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asAc4 } from './as-ac4.ts';
import { AAC, copied, edited, MASTER, made, type Oddity, SECONDS, x264 } from './oddity.ts';

const alone = (rate: number, ...args: string[]) => ['-vn', '-ar', `${rate}`, ...args];
const mp3 = ['-c:a', 'libmp3lame', '-b:a', '64k'];
const picture = x264();

/** Bytes that are no frame of mp3: none of them is 0xff. */
const garbage = (length: number) =>
  Buffer.from(Array.from({ length }, (_, index) => (index * 7919 + (index >> 8) * 31) % 251));

/** An ID3v2.4 tag of 1010 bytes. */
const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x07\x68'), Buffer.alloc(1000)]);

function box(type: string, ...contents: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(contents.map((content) => Buffer.from(content)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** States other bytes per second in the header of a WAV. */
const withBytesPerSecond = (count: number) => (bytes: Buffer) => {
  bytes.writeUInt32LE(count, bytes.indexOf('fmt ') + 16);
  return bytes;
};

/** The tag in which iTunes states how many samples to drop at the start of an mp4 that has no edit list. */
function paddingTag(samples: number): Buffer {
  const none = Buffer.alloc(4);
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const text = Buffer.from(` ${[0, samples, 0, ...Array.from({ length: 9 }, () => 0)].map(hex).join(' ')}`);
  const handler = box('hdlr', none, none, 'mdirappl', none, none, '\0');
  const names = [box('mean', none, 'com.apple.iTunes'), box('name', none, 'iTunSMPB')];
  const item = box('----', ...names, box('data', Buffer.from([0, 0, 0, 1]), none, text));
  return box('udta', box('meta', none, handler, box('ilst', item)));
}

/** Appends a box to the `moov` box, which ends the file. */
function withMetadata(bytes: Buffer, added: Buffer): Buffer {
  const moov = bytes.lastIndexOf('moov') - 4;
  const whole = Buffer.concat([bytes, added]);
  whole.writeUInt32BE(whole.length - moov, moov);
  return whole;
}

/** States of each block of Vorbis where it ends, as libavformat did before version 54. */
const endsStated = 'setts=ts=TS+DURATION';

/** Loud moments, around which encoders of Vorbis change to short blocks. */
const bursts = "volume='if(lt(mod(t,0.37),0.01),4,0.6)':eval=frame";

/** Writes the name of FAAC where ours stands, a byte later: decoders drop the packet that its encoder puts in front. */
function byFaac(bytes: Buffer): Buffer {
  const name = /Lavc[\d.]+/.exec(bytes.toString('latin1'));
  if (!name) throw new Error('the encoder has not left its name');
  const changed = Buffer.from(bytes);
  changed.write('libfaac 1.28'.padEnd(name[0].length - 1), name.index + 1, 'latin1');
  return changed;
}

/** Sun's header for G.721, whose decoder knows one channel alone, and samples in two. */
function stereoG721(): Buffer {
  const header = Buffer.alloc(24);
  header.write('.snd');
  for (const [at, value] of [24, 48_000, 23, 8000, 2].entries()) header.writeUInt32BE(value, 4 + 4 * at);
  return Buffer.concat([header, Buffer.alloc(48_000, 0x35)]);
}

/** Puts four of forty packets 12 ms too early, as muxers do with short blocks of Vorbis. */
const astray = 'setts=ts=TS-if(between(mod(N\\,40)\\,20\\,23)\\,12\\,0)';

const twoSounds = ['-map', '0:v', '-map', '0:a', '-map', '0:a', ...picture, ...AAC];

/** Takes all samples of the last track of an mp4 from its tables. */
function lastTrackEmpty(bytes: Buffer): Buffer {
  for (const [table, count] of Object.entries({ stts: 8, stsc: 8, stco: 8, stsz: 12 }))
    bytes.writeUInt32BE(0, bytes.lastIndexOf(table) + count);
  return bytes;
}

function withCover(name: string, ...args: string[]): Oddity {
  return {
    name,
    make: async ({ directory, ffmpeg }) => {
      const cover = join(directory, `${name}.jpg`);
      await ffmpeg(...MASTER, '-frames:v', '1', '-update', '1', cover);
      const inputs = [...SECONDS, ...MASTER, '-i', cover, '-map', '0:a', '-map', '1:v'];
      await ffmpeg(...inputs, ...args, '-c:v', 'copy', '-disposition:v', 'attached_pic', name);
    },
  };
}

/** Odd rates, channels, paddings and tracks of sound. */
export const sounds: readonly Oddity[] = [
  edited('wrong-bytes-per-second.wav', alone(44_100), withBytesPerSecond(123)),
  edited('no-bytes-per-second.wav', alone(44_100), withBytesPerSecond(0)),
  made('8-khz.wav', ...alone(8000, '-ac', '1')),
  made('16-khz.wav', ...alone(16_000, '-ac', '1')),
  made('11-khz-8-bit.wav', ...alone(11_025, '-c:a', 'pcm_u8')),
  made('96-khz-float.wav', ...alone(96_000, '-c:a', 'pcm_f32le')),
  made('a-law.wav', ...alone(8000, '-c:a', 'pcm_alaw', '-ac', '1')),
  made('w64-in-rf64.wav', ...alone(48_000, '-rf64', 'always')),
  made('8-khz.mp3', ...alone(8000, ...mp3, '-ac', '1')),
  made('no-header.mp3', ...alone(44_100, ...mp3, '-write_xing', '0', '-id3v2_version', '0')),
  made('variable-bitrate.mp3', ...alone(44_100, '-c:a', 'libmp3lame', '-q:a', '5')),
  edited('behind-garbage.mp3', alone(44_100, ...mp3, '-id3v2_version', '0'), (bytes) =>
    Buffer.concat([garbage(200_000), bytes]),
  ),
  edited('junk-behind-tag.aac', alone(44_100, ...AAC), (bytes) =>
    Buffer.concat([tag, Buffer.from('    '), bytes]),
  ),
  edited('behind-two-tags.aac', alone(44_100, ...AAC), (bytes) => Buffer.concat([tag, tag, bytes])),
  edited('behind-tag.ac3', alone(48_000, '-c:a', 'ac3'), (bytes) => Buffer.concat([tag, bytes])),
  edited('behind-tag.eac3', alone(48_000, '-c:a', 'eac3'), (bytes) => Buffer.concat([tag, bytes])),
  edited('truncated.mp3', alone(44_100, ...mp3), (bytes) => bytes.subarray(0, bytes.length * 0.6)),
  withCover('cover.mp3', ...mp3),
  withCover('cover.m4a', ...AAC),
  withCover('cover.flac', '-c:a', 'flac'),
  made('opus.ogg', ...alone(48_000, '-c:a', 'libopus')),
  made('opus-60-ms.ogg', ...alone(48_000, '-c:a', 'libopus', '-frame_duration', '60')),
  copied('opus-from-1-s.ogg', ['-t', '4', ...alone(48_000, '-c:a', 'libopus')], ['-ss', '1']),
  made('opus-mono-16-khz.webm', ...alone(16_000, '-c:a', 'libopus', '-ac', '1')),
  made('vorbis.ogg', ...alone(44_100, '-c:a', 'libvorbis')),
  made('flac-in.ogg', ...alone(44_100, '-c:a', 'flac')),
  made('alac.m4a', ...alone(44_100, '-c:a', 'alac')),
  made('adts.aac', ...alone(44_100, ...AAC)),
  copied('edit-list.m4a', ['-t', '4', ...alone(44_100, ...AAC)], ['-ss', '1.013']),
  edited('padding-in-tag.m4a', alone(44_100, ...AAC, '-use_editlist', '0'), (bytes) =>
    withMetadata(bytes, paddingTag(4000)),
  ),
  made('24-bit-96-khz.flac', ...alone(96_000, '-c:a', 'flac', '-sample_fmt', 's32')),
  made('pcm.aiff', ...alone(44_100)),
  made('raw.ac3', ...alone(48_000, '-c:a', 'ac3')),
  made('raw.eac3', ...alone(48_000, '-c:a', 'eac3')),
  edited('within-a-frame.ac3', alone(48_000, '-c:a', 'ac3'), (bytes) => bytes.subarray(500)),
  edited('within-a-frame.eac3', alone(48_000, '-c:a', 'eac3'), (bytes) => bytes.subarray(500)),
  edited('ac4.ts', alone(48_000, '-c:a', 'libopus'), asAc4),
  made('wma.wma', ...alone(44_100, '-c:a', 'wmav2')),
  made('mono-22-khz.mp4', ...picture, ...AAC, '-ac', '1', '-ar', '22050'),
  made('8-khz.mp4', ...picture, ...AAC, '-ac', '1', '-ar', '8000'),
  made('surround.mp4', ...picture, ...AAC, '-ac', '6'),
  made('surround-ac3.mkv', ...picture, '-c:a', 'ac3', '-ac', '6'),
  made('mp3-in.mp4', ...picture, ...mp3),
  made('mp3-in.mkv', ...picture, ...mp3),
  made('hole-in-sound.mp4', ...picture, ...AAC, '-bsf:a', 'noise=drop=between(n\\,44\\,60)'),
  made('vorbis-in.mkv', ...picture, '-c:a', 'libvorbis'),
  made('vorbis-astray.mkv', ...picture, '-c:a', 'libvorbis', '-bsf:a', astray),
  made('vorbis-ends-stated.mkv', ...picture, '-af', bursts, '-c:a', 'libvorbis', '-bsf:a', endsStated),
  made('vorbis-ends-stated.mka', ...alone(44_100, '-af', bursts, '-c:a', 'libvorbis', '-bsf:a', endsStated)),
  edited('first-packet-of-faac.m4a', alone(44_100, ...AAC, '-use_editlist', '0'), byFaac),
  edited('second-sound-is-empty.mp4', twoSounds, lastTrackEmpty),
  made('second-sound-is-empty.mkv', ...twoSounds, '-bsf:a:1', 'noise=drop=1'),
  {
    name: 'g721-stereo.au',
    make: ({ directory }) => writeFile(join(directory, 'g721-stereo.au'), stereoG721()),
  },
  made('flac-in.mp4', ...picture, '-c:a', 'flac', '-strict', '-2'),
  made('opus-in.mp4', ...picture, '-c:a', 'libopus'),
  made('pcm-in.mkv', ...picture, '-c:a', 'pcm_s24le'),
  made('ac3-in.ts', ...picture, '-c:a', 'ac3'),
  made(
    'second-sound-is-default.mkv',
    ...[
      '-map',
      '0:v',
      '-map',
      '0:a',
      '-map',
      '0:a',
      ...picture,
      ...AAC,
      '-filter:a:0',
      'volume=-20dB,areverse',
    ],
    ...['-disposition:a:0', '0', '-disposition:a:1', 'default'],
  ),
];
