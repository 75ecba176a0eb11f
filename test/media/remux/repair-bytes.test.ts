import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packetsIn } from '../../../transcoder/media/libav/child/remux/transport-stream.ts';
import { scratch } from '../scratch.ts';

const [SYNC, PACKET, STEP] = [0x47, 188, 204];

test('no packet is lost whose repair bytes begin like a packet, wherever reads end', async () => {
  // Every twelfth or so of the reads ends within the repair bytes.
  const count = 80_000;
  const file = Buffer.alloc(count * STEP, 1);
  for (let at = 0; at < count; at++) {
    file[at * STEP] = SYNC;
    file.writeUInt32BE(at, at * STEP + 4);
    file[at * STEP + PACKET] = SYNC;
  }
  const path = join(scratch(), 'repair.ts');
  await writeFile(path, file);
  const source = { path, format: 'mpegts', bytes: file.length, present: null, near: null } as const;
  const found: number[] = [];
  for await (const { packets } of packetsIn(source))
    for (const packet of packets) found.push(packet.readUInt32BE(4));
  expect(found).toEqual(Array.from({ length: count }, (_, at) => at));
});
