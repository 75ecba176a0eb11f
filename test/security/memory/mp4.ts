import { box, patched, u32, withU32 } from '../bytes.ts';
import { damaged, done, MB, type Rows, times, tooLarge } from './row.ts';
import { largeMp4, seed, textPng } from './seeds.ts';

const trak = 'moov/trak/mdia';
const table = `${trak}/minf/stbl`;
const pictureOnly = (file: Buffer) => {
  let first = true;
  return patched(file, 'moov', (content) => {
    const parts: Buffer[] = [];
    for (let at = 0; at + 8 <= content.length; at += content.readUInt32BE(at)) {
      const one = content.subarray(at, at + content.readUInt32BE(at));
      const kept = one.toString('latin1', 4, 8) !== 'trak' || first;
      if (one.toString('latin1', 4, 8) === 'trak') first = false;
      if (kept) parts.push(one);
    }
    return Buffer.concat(parts);
  });
};
const one = pictureOnly(seed('seed.mp4'));
/** An index of so many samples of one size, which is twelve bytes long. */
const samples = (count: number) => {
  const sized = patched(one, `${table}/stsz`, () => Buffer.concat([u32(0), u32(1), u32(count)]));
  const timed = patched(sized, `${table}/stts`, () => Buffer.concat([u32(0), u32(1), u32(count), u32(1)]));
  return patched(timed, `${table}/stsc`, () => Buffer.concat([u32(0), u32(1), u32(1), u32(count), u32(1)]));
};
/** As many samples, each the same keyframe, so many a second. */
function sameSample(file: Buffer, count: number, perSecond: number): Buffer {
  const bare = patched(pictureOnly(file), 'moov/trak/edts', () => Buffer.alloc(0));
  let size = 0;
  let at = 0;
  patched(bare, `${table}/stsz`, (content) => {
    size = content.readUInt32BE(4) || content.readUInt32BE(12);
    return content;
  });
  patched(bare, `${table}/stco`, (content) => {
    at = content.readUInt32BE(8);
    return content;
  });
  const mdat = bare.indexOf('mdat') - 4;
  const chunks = (shift: number) => {
    const offsets = Buffer.alloc(4 * count);
    for (let index = 0; index < count; index++) offsets.writeUInt32BE(at + shift, 4 * index);
    return Buffer.concat([u32(0), u32(count), offsets]);
  };
  const rows: [string, Buffer][] = [
    ['stsz', Buffer.concat([u32(0), u32(size), u32(count)])],
    ['stts', Buffer.concat([u32(0), u32(1), u32(count), u32(1)])],
    ['stsc', Buffer.concat([u32(0), u32(1), u32(1), u32(1), u32(1)])],
    ['stss', Buffer.concat([u32(0), u32(0)])],
    ['ctts', Buffer.concat([u32(0), u32(1), u32(count), u32(0)])],
  ];
  let made = bare;
  for (const [name, content] of rows) made = patched(made, `${table}/${name}`, () => content);
  made = patched(made, `${trak}/mdhd`, (content) => withU32(withU32(content, 12, perSecond), 16, count));
  const before = (shift: number) => patched(made, `${table}/stco`, () => chunks(shift));
  const shift = before(0).indexOf('mdat') - 4 - mdat;
  return before(bare.indexOf('moov') < mdat ? shift : 0);
}
const covr = (picture: Buffer) =>
  patched(seed('seed.mp4'), 'moov', (content) => {
    const data = box('data', u32(14), u32(0), picture);
    const hdlr = box('hdlr', u32(0), u32(0), Buffer.from('mdirappl'), Buffer.alloc(9));
    const meta = box('meta', u32(0), hdlr, box('ilst', box('covr', data)));
    return Buffer.concat([content, box('udta', meta)]);
  });
const tracks = (file: Buffer, count: number) =>
  patched(pictureOnly(file), 'moov', (content) => {
    const first = content.indexOf('trak') - 4;
    const track = content.subarray(first, first + content.readUInt32BE(first));
    return Buffer.concat([content, times(count - 1, () => track)]);
  });
/** A fragment whose table of samples says nothing of any of them. */
const fragment = (count: number) => {
  const tfhd = box('tfhd', u32(0x20_0028 >>> 0), u32(1), u32(1), u32(1));
  const trun = box('trun', u32(0), u32(count));
  return Buffer.concat([
    one,
    box('moof', box('mfhd', u32(0), u32(1)), box('traf', tfhd, trun)),
    box('mdat', Buffer.alloc(100)),
  ]);
};
const extraData = (bytes: number) =>
  patched(one, `${table}/stsd`, (content) => {
    const entry = Buffer.concat([
      content.subarray(8, 8 + 86),
      box('glbl', Buffer.alloc(bytes)),
      content.subarray(8 + 86),
    ]);
    return Buffer.concat([content.subarray(0, 8), withU32(entry, 0, entry.length)]);
  });

/** Files of mp4 that are small and ask for memory. */
export const mp4Rows: Rows = {
  'an mp4 whose cover is a PNG of 1 GB of texts': [
    () => covr(textPng()),
    ['probe', 'transcode'],
    [...done, ...tooLarge],
    3000,
  ],
  'an mp4 of 10 million samples': [
    () => samples(1e7),
    ['probe', 'cut', 'transcode'],
    [...damaged, ...tooLarge, 'source_too_long', 'out_of_memory'],
    3000,
  ],
  'an mp4 of 100 million samples': [
    () => samples(1e8),
    ['probe', 'transcode'],
    [...damaged, ...tooLarge, 'source_too_long', 'out_of_memory'],
    3000,
  ],
  'an mp4 of a fragment of 100 million samples': [
    () => fragment(1e8),
    ['probe', 'transcode'],
    [...damaged, ...tooLarge, 'source_too_long'],
    3000,
  ],
  'an mp4 of 20 000 pictures at 1 000 000 a second': [
    () => sameSample(seed('seed.mp4'), 20_000, 1e6),
    ['probe', 'cut', 'transcode', 'frame'],
    [...damaged, ...tooLarge, 'time_out_of_range'],
    3000,
  ],
  'an mp4 of 200 000 pictures at 1000 a second': [
    () => sameSample(seed('seed.mp4'), 200_000, 1000),
    ['probe', 'cut', 'frame'],
    [...damaged, ...tooLarge, 'time_out_of_range'],
    1200,
  ],
  'an mp4 of 8K': [
    () => largeMp4,
    ['probe', 'transcode', 'merge', 'frame'],
    [...done, 'out_of_memory', 'output_too_large'],
    3000,
  ],
  'an mp4 of 16 tracks of 8K': [
    () => tracks(largeMp4, 16),
    ['probe', 'transcode'],
    [...done, 'out_of_memory'],
    1000,
  ],
  'an mp4 of 15 MB of extra data': [() => extraData(15 * MB), ['probe', 'transcode'], damaged, 900],
};
