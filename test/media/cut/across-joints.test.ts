import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codecs } from '../../../transcoder/bitstream/codecs.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { configurationOf } from '../../../transcoder/media/libav/child/av.ts';
import type { Part } from '../../../transcoder/media/libav/child/output-timeline.ts';
import { Reader } from '../../../transcoder/media/libav/child/read/reader.ts';
import { check } from '../../../transcoder/media/libav/child/verify-splice.ts';
import type { SpliceRequest } from '../../../transcoder/model/splice.ts';
import { programs } from '../../fixtures/make.ts';
import { scratch } from '../scratch.ts';

const FRAMES = 12;

/** Raw H.264 of one group. */
async function encoded(name: string, params: string): Promise<Buffer> {
  const path = join(scratch(), `${name}.h264`);
  await run(programs, 'ffmpeg', [
    ...[
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=192x108:r=25',
      '-frames:v',
      `${FRAMES}`,
    ],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params, path],
  ]);
  return readFile(path);
}

/** What the check says about an mp4 of these groups, each of which is a part. */
async function verified(name: string, groups: readonly Buffer[]) {
  const [raw, file] = [join(scratch(), `${name}.h264`), join(scratch(), `${name}.mp4`)];
  await writeFile(raw, Buffer.concat(groups));
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-r', '25', '-i', raw, '-c', 'copy', file]);
  const reader = await Reader.ofFile({ path: file, format: 'mov' }, 0);
  const { num, den } = reader.timeBase;
  const coded = codecs.h264.coded(configurationOf(reader.stream));
  if ('unfit' in coded) throw new Error(coded.unfit);
  const pts: number[] = [];
  for (let packet = await reader.next(); packet; packet = await reader.next()) pts.push(Number(packet.pts));
  await reader.close();
  const parts = groups.map((_, at): Part => {
    return { kind: 'file', input: at, pts: pts.slice(at * FRAMES, (at + 1) * FRAMES) };
  });
  const request = { file, container: 'mp4' } as SpliceRequest;
  return check(request, { coded, parts, unit: { num, den } });
}

const coded = await encoded('coded', 'bframes=0:qp=20');
const again = await encoded('again', 'bframes=0:qp=30:sps-id=1');
/** Decodes alone; behind other pictures, libavcodec's decoder goes on without the lossless transform. */
const lossless = await encoded('lossless', 'bframes=0:qp=0:sps-id=1');

test('a file whose parts decode alike alone and behind one another is right', async () => {
  expect(await verified('right', [coded, again, coded])).toEqual({ frames: 3 * FRAMES });
});

test('a part that decodes alone, but not behind the part before it, is found', async () => {
  await expect(verified('alone', [lossless])).resolves.toEqual({ frames: FRAMES });
  await expect(verified('behind', [coded, lossless])).rejects.toThrow('depends on the part before it');
});
