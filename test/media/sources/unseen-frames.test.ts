import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isVp9Unseen, vp9Frames } from '../../../transcoder/bitstream/vp9-frames.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { ebml, elementsOf } from '../../fixtures/ebml.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** VP9 whose frames that are not shown have blocks of their own, as older muxers wrote them. */
const FILE = 'apart.webm';
const [RATE, FRAMES] = [30, 90];
const ids = { segment: 0x18538067, cluster: 0x1f43b675, block: 0xa3 };
/** Bytes of the number of a track, a time and flags. */
const BLOCK_HEADER = 4;

let unseen = 0;

/** A block for each frame of a block. */
function apart(block: Buffer): Buffer[] {
  const [header, packet] = [block.subarray(0, BLOCK_HEADER), block.subarray(BLOCK_HEADER)];
  return vp9Frames(packet).map((frame) => {
    unseen += Number(isVp9Unseen(frame));
    return ebml(ids.block, header, Buffer.from(frame));
  });
}

beforeAll(async () => {
  const plain = join(scratch(), 'joined.webm');
  const picture = ['-an', '-frames:v', `${FRAMES}`, '-c:v', 'libvpx-vp9', '-b:v', '1M', '-g', '30'];
  // libvpx looks ahead for such frames in the second pass alone.
  const ahead = ['-auto-alt-ref', '1', '-lag-in-frames', '16', '-passlogfile', join(scratch(), 'pass')];
  for (const [pass, speed, output] of [
    ['1', '4', ['-f', 'null', '-']],
    ['2', '2', [plain]],
  ] as const) {
    const passed = [...picture, ...ahead, '-pass', pass, '-cpu-used', speed, ...output];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), ...passed]);
  }
  const [head, segment] = elementsOf(await readFile(plain));
  const parts = elementsOf(segment?.content ?? Buffer.alloc(0)).map(({ id, content }) => {
    if (id !== ids.cluster) return ebml(id, content);
    const blocks = elementsOf(content).flatMap((one) =>
      one.id === ids.block ? apart(one.content) : ebml(one.id, one.content),
    );
    return ebml(id, ...blocks);
  });
  const file = [ebml(0x1a45dfa3, head?.content ?? Buffer.alloc(0)), ebml(ids.segment, ...parts)];
  await writeFile(join(scratch(), FILE), Buffer.concat(file));
});

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

test('VP9 with packets that show nothing is cut, and its frames are counted, by what it shows', async () => {
  expect(unseen).toBeGreaterThan(2);
  const source = join(scratch(), FILE);
  const part = await operate('cut', source, { start: 20 / RATE, end: 75 / RATE });
  expect(await readNumbers(part.path)).toEqual(numbers(20, 75));
  const all = await operate('cut', source, { start: 0, end: 80 / RATE });
  expect(await readNumbers(all.path)).toEqual(numbers(0, 80));
  const { data } = await operate('probe', source, {});
  expect(data.streams).toEqual([expect.objectContaining({ codec: 'vp9', frames: FRAMES })]);
});
