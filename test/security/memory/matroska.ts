import { ebml } from '../../fixtures/ebml.ts';
import { u32 } from '../bytes.ts';
import { done, MB, type Rows, tooLarge } from './row.ts';
import { seed, textPng } from './seeds.ts';

const attachment = (type: string, content: Buffer, index: number) =>
  ebml(
    0x61a7,
    ...[ebml(0x466e, Buffer.from(`f${index}`)), ebml(0x4660, Buffer.from(type)), ebml(0x465c, content)],
    ebml(0x46ae, u32(index + 1)),
  );
const attached = (...files: Buffer[]) => {
  const mkv = seed('seed.mkv');
  return Buffer.concat([mkv, ebml(0x1941a469, ...files)]);
};
/** The attachments before all else, where every reader meets them. */
const attachedFirst = (...files: Buffer[]) => {
  const mkv = seed('seed.mkv');
  const at = mkv.indexOf(Buffer.from('18538067', 'hex'));
  const head = Buffer.concat([Buffer.from('1853806701ffffffffffffff', 'hex'), ebml(0x1941a469, ...files)]);
  return Buffer.concat([mkv.subarray(0, at), head, mkv.subarray(at + 12)]);
};

/** Files of Matroska that ask for memory. */
export const matroskaRows: Rows = {
  'a Matroska of 10 attachments of 2 MB': [
    () =>
      attached(
        ...Array.from({ length: 10 }, (_, index) => attachment('font/ttf', Buffer.alloc(2 * MB), index)),
      ),
    ['probe', 'transcode'],
    done,
    600,
  ],
  'a Matroska of 10 attachments of 2 MB before all else': [
    () =>
      attachedFirst(
        ...Array.from({ length: 10 }, (_, index) => attachment('font/ttf', Buffer.alloc(2 * MB), index)),
      ),
    ['probe', 'transcode'],
    done,
    600,
  ],
  'a Matroska whose cover is a PNG of 1 GB of texts': [
    () => attachedFirst(attachment('image/png', textPng(), 0)),
    ['probe', 'transcode'],
    [...done, ...tooLarge],
    3000,
  ],
  'a Matroska of 5000 attachments': [
    () =>
      attachedFirst(
        ...Array.from({ length: 5000 }, (_, index) => attachment('font/ttf', Buffer.from('a'), index)),
      ),
    ['probe'],
    [...tooLarge, 'source_not_media'],
    600,
  ],
};
