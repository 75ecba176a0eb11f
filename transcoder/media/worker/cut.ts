import { AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import type { FormatContext, Packet } from 'node-av/lib';
import { parseAvcc } from '../bitstream/avcc.ts';
import { isSlice, parseSlice, ppsIdOf } from '../bitstream/h264-slice.ts';
import { type Splice, spliceOf } from '../bitstream/h264-splice.ts';
import { splitLengths } from '../bitstream/nal.ts';
import { checked, eachPacket, openInput, openOutput, streamOf } from './av.ts';
import { check } from './check.ts';
import type { CutRequest, Done } from './protocol.ts';
import { Rendering } from './rendering.ts';
import { Writer } from './writer.ts';

/** Cuts one range: copies what can be copied, encodes the frames before and behind it, and proves the result. */
export async function cut(request: CutRequest, onProgress: (fraction: number) => void): Promise<Done> {
  const { video, audio } = request;
  const wanted = audio ? [video.stream, audio.stream] : [video.stream];
  const tick = video.head?.decodeFrom ?? video.copy.first;
  const input = await openInput(request.source, wanted, { stream: video.stream, tick });
  try {
    const picture = streamOf(input, video.stream);
    const streams = audio ? [picture, streamOf(input, audio.stream)] : [picture];
    const splice = spliceOf(parseAvcc(picture.codecpar.extradata ?? new Uint8Array()));
    if ('unfit' in splice) throw new Error(`nothing can be spliced in: ${splice.unfit}`);
    const [head, tail] = await Promise.all([
      video.head && Rendering.open(video.head, picture, splice, video),
      video.tail && Rendering.open(video.tail, picture, splice, video),
    ]);
    if (head && tail && Buffer.compare(head.configuration, tail.configuration) !== 0) {
      throw new Error('the encoder codes the two ends differently');
    }
    const configuration = head?.configuration ?? tail?.configuration ?? null;
    const output = await openOutput(request.file, request.container, streams, configuration);
    const writer = new Writer(output, streams, request);
    await copyAll(input, { request, head, tail, splice, writer, onProgress });
    writer.finish();
    checked(await output.writeTrailer(), 'write trailer');
    await output.closeOutput();
    output.freeContext();
  } finally {
    await input.closeInput();
  }
  return await check(request);
}

/** Seconds before the first packet needed from which reading begins, so that its sound is among it. */
const SOUND_LEAD = 0.3;

interface Copying {
  request: CutRequest;
  head: Rendering | null;
  tail: Rendering | null;
  splice: Splice;
  writer: Writer;
  onProgress: (fraction: number) => void;
}

async function copyAll(input: FormatContext, copying: Copying): Promise<void> {
  const { request, head, tail, splice, writer, onProgress } = copying;
  const { video, audio } = request;
  const { timeBase } = streamOf(input, video.stream);
  const begin = (video.head?.decodeFrom ?? video.copy.first) - (SOUND_LEAD * timeBase.den) / timeBase.num;
  await input.seekFrame(video.stream, BigInt(Math.floor(begin)), AVSEEK_FLAG_BACKWARD);
  const last = Math.max(video.copy.last, video.tail?.decodeTo ?? video.copy.last);
  let idrPicId = 0;
  let copied = 0;
  let [pictureEnds, soundEnds] = [false, audio === null];
  await eachPacket(input, (packet) => {
    if (packet.streamIndex === audio?.stream && !soundEnds) {
      soundEnds = Number(packet.pts) >= audio.end;
      if (!soundEnds) writer.sound(packet);
    } else if (packet.streamIndex === video.stream && !pictureEnds) {
      const dts = Number(packet.dts);
      head?.feed(packet);
      tail?.feed(packet);
      if (dts >= video.copy.first && dts <= video.copy.last) {
        if (packet.isKeyframe) idrPicId = idrPicIdOf(packet, splice) ?? idrPicId;
        if (copied === 0) for (const unit of head?.finish(idrPicId) ?? []) writer.rendered(unit);
        writer.copied(packet);
        copied += 1;
        onProgress(copied / video.copy.frames.length);
      }
      pictureEnds = dts >= last;
    }
    return pictureEnds && soundEnds ? 'end' : undefined;
  });
  for (const unit of tail?.finish(idrPicId) ?? []) writer.rendered(unit);
}

function idrPicIdOf(packet: Packet, { avcc, sps, pps }: Splice): number | null {
  const slice = splitLengths(packet.data ?? new Uint8Array(), avcc.lengthSize).find(isSlice);
  const set = slice && pps.find(({ id }) => id === ppsIdOf(slice));
  return slice && set ? parseSlice(slice, { sps, pps: set }).idrPicId : null;
}
