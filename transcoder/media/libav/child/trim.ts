import type { TrimRequest } from '../../../model/splice.ts';
import type { Done } from '../protocol.ts';
import { checked, Decoder, streamOf } from './av.ts';
import { CopiedTrack } from './copied-track.ts';
import { openOutput } from './open-output.ts';
import { Reader } from './read/reader.ts';

/** Copies a range of audio packets, trims it to the sample with an edit list, and verifies the result. */
export async function trim(request: TrimRequest): Promise<Done> {
  const sound = await CopiedTrack.open(request.input, request);
  let written = 0;
  try {
    const track = { stream: sound.stream, label: request.label ?? null };
    const output = await openOutput(request.file, 'm4a', [track], null);
    const { timeBase } = streamOf(output, 0);
    for (;;) {
      const packet = await sound.before(Number.POSITIVE_INFINITY);
      if (!packet) break;
      packet.streamIndex = 0;
      packet.rescaleTs(sound.timeBase, timeBase);
      checked(output.writeFrameSync(packet), 'write');
      sound.taken();
      written += 1;
    }
    checked(await output.writeTrailer(), 'write trailer');
    await output.closeOutput();
    output.freeContext();
  } finally {
    await sound.close();
  }
  await check(request, written);
  return { frames: written };
}

/** How many seconds before its range sound may end: some frames. */
const MOST_MISSING = 0.05;

/** Checks that every written packet is there and decodes, and that the range is not exceeded. */
async function check({ file, start, end }: TrimRequest, written: number): Promise<void> {
  const reader = await Reader.ofFile({ path: file, format: 'mov' }, 0);
  const decoder = await Decoder.open(reader.stream);
  try {
    const { duration, timeBase, codecpar } = reader.stream;
    const samples = (Number(duration) * timeBase.num * codecpar.sampleRate) / timeBase.den;
    if (samples > end - start + 1) throw new Error('the audio extends beyond the range');
    // A gap behind the last packet can only be filled with samples.
    if (samples < end - start - MOST_MISSING * codecpar.sampleRate)
      throw new Error('the audio ends before the range');
    let count = 0;
    let packet = await reader.next();
    for (; packet; packet = await reader.next()) {
      await decoder.send(packet, async () => {});
      count += 1;
    }
    if (count !== written) throw new Error(`the file has ${count} packets, not ${written}`);
  } finally {
    decoder.close();
    await reader.close();
  }
}
