import { dirname } from 'node:path';
import type { Insertion, Rendered } from '../../../bitstream/codec.ts';
import { codecs } from '../../../bitstream/codecs.ts';
import type { SpliceRequest } from '../../../model/splice.ts';
import { collectGarbage } from '../../../process/collect-garbage.ts';
import type { Done } from '../protocol.ts';
import { configurationOf } from './av.ts';
import { CopiedTrack } from './copied-track.ts';
import { Rendering } from './encode-run.ts';
import type { FrameWriter } from './frame-writer.ts';
import { withChapters } from './mp4/chapters.ts';
import { INTERLEAVED, type Planned } from './mp4/layout.ts';
import { mostIndexBytes } from './mp4/reserved-index.ts';
import { SampleWriter } from './mp4/sample-writer.ts';
import { Tracks } from './mp4/tracks.ts';
import { type OutputTrack, openOutput, placesOf } from './open-output.ts';
import { type Part, partsOf, timelineOf } from './output-timeline.ts';
import { PacketWriter } from './packet-writer.ts';
import { Reader, readerAt } from './read/reader.ts';
import { TextTrack } from './text-track.ts';
import { check, type Written } from './verify-splice.ts';

/** Copies packets of the inputs, encodes the frames between them, and verifies the result. */
export async function splice(request: SpliceRequest, onProgress: (fraction: number) => void): Promise<Done> {
  // Filters name files relative to the job's directory.
  process.chdir(dirname(request.file));
  try {
    return await check(request, await closing((opened) => write(request, opened, onProgress)));
  } finally {
    process.chdir('/');
  }
}

/** What is closed when the splice ends, or before: the index of two hours takes 25 MB each time. */
class Opened {
  #list: { close(): unknown }[] = [];

  async own<T extends { close(): unknown }>(opening: T | Promise<T>): Promise<T> {
    const value = await opening;
    this.#list.push(value);
    return value;
  }

  /** Closes what was opened last first. */
  async close(): Promise<void> {
    for (let each = this.#list.pop(); each; each = this.#list.pop()) await each.close();
  }
}

async function closing<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const opened = new Opened();
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

async function write(
  request: SpliceRequest,
  opened: Opened,
  onProgress: (fraction: number) => void,
): Promise<Written> {
  // Closed after what reads from them.
  const tracks = await opened.own(new Tracks());
  const reading = await opened.own(new Opened());
  const readers: Reader[] = [];
  for (const input of request.inputs) readers.push(await reading.own(Reader.open(input)));
  const [model] = readers;
  if (!model) throw new Error('the splice has no input');
  const coded = codecs[request.codec].coded(configurationOf(model.stream));
  if ('unfit' in coded) throw new Error(`the source cannot be spliced: ${coded.unfit}`);

  const units = readers.map(({ timeBase: { num, den } }) => ({ num, den }));
  const parts = partsOf(request, units, await timesOfFiles(request, readers));
  const timeline = timelineOf(parts, request.frame, request.until);
  const stretches = parts.filter((part) => part.kind === 'rendered');
  const [unit = model.timeBase] = units;
  const rendering =
    stretches.length > 0
      ? await reading.own(
          Rendering.open(coded, { inputs: request.inputs, readers, tracks }, stretches, {
            frame: (request.frame * unit.num) / unit.den,
            fields: request.fields ?? null,
            mastering: request.mastering ?? null,
          }),
        )
      : null;

  const files = parts.flatMap((part) => (part.kind === 'file' ? [part.input] : []));
  const rendered: Rendered[] = [
    ...(rendering ? [{ from: 'encoder' as const, extradata: rendering.extradata }] : []),
    ...files.map((input) => ({
      from: 'file' as const,
      extradata: configurationOf(readerAt(readers, input).stream).extradata,
    })),
  ];
  const joined = coded.join(rendered);
  const others = await othersOf(request, opened);
  const planned = { readers, parts, timeline, others, joined, tracks };
  const writer = await opened.own(writerFor(request, planned, opened, onProgress));
  collectGarbage();
  const insertions = [...joined.insertions];
  const own = rendering ? insertions.shift() : undefined;
  for (const [index, part] of parts.entries()) {
    const before = await writer.lastKey();
    if (part.kind === 'copied') {
      await writer.copied(part.input, part.copy, index > 0 ? joined.resumed(before) : coded.entered());
      continue;
    }
    const beside = { before, behind: await firstOf(parts[index + 1], readers) };
    if (part.kind === 'file')
      await insert(part, readerAt(readers, part.input), writer, insertions.shift()?.stretch(beside));
    else await render(rendering, writer, own?.stretch(beside));
  }
  // The index of the result needs the memory that readers and encoders hold.
  await reading.close();
  await writer.finish();
  return { coded, parts, unit };
}

/** The sounds and texts to copy, in the order of the output. */
async function othersOf(
  { inputs, audio, labels, others = [] }: SpliceRequest,
  opened: Opened,
): Promise<(OutputTrack & { track: CopiedTrack })[]> {
  const first = audio ? [{ ...audio, label: labels?.audio ?? null }] : [];
  const found = [];
  for (const { input: index, label, ...trim } of [...first, ...others]) {
    const input = inputs[index];
    if (!input) throw new Error('a track is of an input that does not exist');
    const track = await opened.own(CopiedTrack.open(input, trim));
    found.push({ track, stream: track.stream, label });
  }
  return found;
}

async function writerFor(
  request: SpliceRequest,
  planned: Planned,
  opened: Opened,
  onProgress: (fraction: number) => void,
): Promise<FrameWriter> {
  const moving = await SampleWriter.open(request, planned, onProgress);
  if (moving) {
    // Its packets are moved by their index: of two hours, what libav has of it takes 25 MB.
    for (const { track } of planned.others) await track.close();
    return moving;
  }
  const { readers, timeline, others, joined } = planned;
  const text = request.text ? await opened.own(new TextTrack(request.text)) : null;
  const { file, metadata, rotate, chapters = [], between } = request;
  const model = readerAt(readers, 0);
  const copied = [{ stream: model.stream, label: request.labels?.video ?? null }, ...others];
  const contents = { model, timeline, extradata: joined.extradata, copied: others };
  const reserved = mostIndexBytes(request, contents);
  const output = await openOutput(file, request.container, copied, joined, {
    ...{ text, metadata, rotate, between: between || chapters.length > 0, reserved },
  });
  const places = placesOf(copied, text !== null);
  return new PacketWriter(output, {
    ...{ readers, model: model.stream, timeline, onProgress, apart: reserved === null ? 0 : INTERLEAVED },
    others: others.map(({ track }, index) => ({ track, place: places.copied[index + 1] ?? 0 })),
    text: text && { track: text, place: places.text ?? 0 },
    finished: () => withChapters(file, chapters),
  });
}

/** By input, the presentation times of the packets of files used as pieces. */
async function timesOfFiles(
  { pieces }: SpliceRequest,
  readers: readonly Reader[],
): Promise<Map<number, number[]>> {
  const times = new Map<number, number[]>();
  for (const piece of pieces) {
    if (piece.kind !== 'file') continue;
    const own: number[] = [];
    const reader = readerAt(readers, piece.input);
    for (let packet = await reader.next(); packet; packet = await reader.next()) own.push(Number(packet.pts));
    times.set(piece.input, own);
  }
  return times;
}

/** The first packet of a copied part. */
async function firstOf(part: Part | undefined, readers: readonly Reader[]): Promise<Uint8Array | null> {
  if (part?.kind !== 'copied') return null;
  const [first = 0] = part.copy.frames;
  const packet = await readerAt(readers, part.input).find(part.copy.seek, first);
  return Uint8Array.from(packet.data ?? []);
}

type Place = ReturnType<Insertion['stretch']> | undefined;

async function insert(
  { pts }: Extract<Part, { kind: 'file' }>,
  reader: Reader,
  writer: FrameWriter,
  place: Place,
): Promise<void> {
  if (!place) throw new Error('a file has not been joined');
  await reader.seek(Number.MIN_SAFE_INTEGER);
  for (const _ of pts) {
    const packet = await reader.next();
    if (!packet) throw new Error('a file ends early');
    await writer.bytes(place(packet.data ?? new Uint8Array()), packet.isKeyframe);
  }
}

async function render(rendering: Rendering | null, writer: FrameWriter, place: Place): Promise<void> {
  if (!rendering || !place) throw new Error('the encoder has not been joined');
  let first = true;
  await rendering.stretch(async (data) => {
    await writer.bytes(place(data), first);
    first = false;
  });
}
