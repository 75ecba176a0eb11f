import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SSA,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
  AV_NOPTS_VALUE,
} from 'node-av/constants';
import { type FormatContext, Packet } from 'node-av/lib';
import { withoutReferences } from '../../../../schema/media/character-references.ts';
import { assParts } from '../../../../schema/media/subtitles-ass.ts';
import { firstIndex } from '../../../model/numbers/first-index.ts';
import type { SourceParts } from '../../../model/source/media-source.ts';
import type { Cues, CuesRequest } from '../protocol.ts';
import { streamOf } from './av.ts';
import { openPackets, readPacket, trySeek } from './read/input.ts';

/** Most cues and characters of a track: more than a day of speech. */
const MOST = { cues: 50_000, characters: 4_000_000 };
/** How many such tracks are in memory at the same time. */
const TOGETHER = 3;
/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

type Cue = NonNullable<Cues[number]>[number];
type Spans = readonly (readonly [start: number, end: number])[];

/**
 * Reads the cues of text tracks. Markup is dropped but for line breaks. An mp4 has an index of its texts, of which no two are shown at once,
 * so only the wanted ones are read there.
 */
export async function cues({ source, streams, spans }: CuesRequest): Promise<Cues> {
  const wanted = spans && inOrder(spans);
  const indexed = wanted !== null && source.format === 'mov';
  return (indexed && (await cuesWithin(source, streams, wanted))) || allCues(source, streams, wanted);
}

/** The same spans, each after the one before it. */
function inOrder(spans: Spans): Spans {
  const joined: [number, number][] = [];
  for (const [start, end] of [...spans].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

async function allCues(source: SourceParts, streams: readonly number[], spans: Spans | null): Promise<Cues> {
  const texts = new Texts(streams);
  const input = await openPackets(source, streams);
  try {
    await readOn(input, texts, { spans, until: Number.POSITIVE_INFINITY });
  } finally {
    await input.closeInput();
  }
  return texts.cues;
}

/** Each cue once, in order; null if libav cannot seek in a track. */
async function cuesWithin(
  source: SourceParts,
  streams: readonly number[],
  spans: Spans,
): Promise<Cues | null> {
  const texts = new Texts(streams);
  for (const stream of streams) {
    const input = await openPackets(source, [stream]);
    try {
      const { num, den } = streamOf(input, stream).timeBase;
      for (const [from, until] of spans) {
        if (!texts.takes(stream)) break;
        if (!(await trySeek(input, stream, Math.floor((from * den) / num)))) return null;
        const after = texts.last(stream)?.start ?? Number.NEGATIVE_INFINITY;
        await readOn(input, texts, { spans: [[from, until]], after, until });
      }
    } finally {
      await input.closeInput();
    }
  }
  return texts.cues;
}

interface Track {
  stream: number;
  /** Null if they are too many. */
  cues: Cue[] | null;
  characters: number;
}

/** The cues of tracks, without the tracks that are too long. */
class Texts {
  readonly #tracks: readonly Track[];

  constructor(streams: readonly number[]) {
    this.#tracks = streams.map((stream) => ({ stream, cues: [], characters: 0 }));
  }

  get cues(): Cues {
    return this.#tracks.map(({ cues }) => cues);
  }

  takes(stream: number): boolean {
    return this.#of(stream)?.cues != null;
  }

  last(stream: number): Cue | undefined {
    return this.#of(stream)?.cues?.at(-1);
  }

  add(stream: number, cue: Cue): void {
    const track = this.#of(stream);
    if (!track?.cues) return;
    track.cues.push(cue);
    track.characters += cue.text.length;
    if (isOver([track], 1)) leaveOut(track);
    else if (isOver(this.#tracks, TOGETHER)) leaveOut(longest(this.#tracks));
  }

  #of(stream: number): Track | undefined {
    return this.#tracks.find((track) => track.stream === stream);
  }
}

const cuesOf = ({ cues }: Track): number => cues?.length ?? 0;

/** @param times How often the limits of a track apply. */
function isOver(tracks: readonly Track[], times: number): boolean {
  const sum = (of: (track: Track) => number) => tracks.reduce((total, track) => total + of(track), 0);
  return sum(cuesOf) > times * MOST.cues || sum(({ characters }) => characters) > times * MOST.characters;
}

const shareOf = (track: Track) => cuesOf(track) / MOST.cues + track.characters / MOST.characters;

const longest = (tracks: readonly Track[]): Track =>
  tracks.reduce((most, track) => (shareOf(track) > shareOf(most) ? track : most));

function leaveOut(track: Track): void {
  track.cues = null;
  track.characters = 0;
}

interface Wanted {
  /** In order; null for everything. */
  spans: Spans | null;
  /** Second up to which nothing may begin any more. */
  after?: number;
  /** Second behind which nothing is wanted. */
  until: number;
}

async function readOn(
  input: FormatContext,
  texts: Texts,
  { spans, after = Number.NEGATIVE_INFINITY, until }: Wanted,
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 1; await readPacket(input, packet); count++) {
      const { timeBase, codecpar } = streamOf(input, packet.streamIndex);
      const start = (Number(packet.pts) * timeBase.num) / timeBase.den;
      if (start > until) break;
      const end = start + (Number(packet.duration) * timeBase.num) / timeBase.den;
      const timed = packet.pts !== AV_NOPTS_VALUE && end > start && start > after;
      if (timed && texts.takes(packet.streamIndex) && isWithin(spans, start, end)) {
        const text = textOf(packet.data ?? Buffer.alloc(0), codecpar.codecId);
        if (text !== '') texts.add(packet.streamIndex, { start, end, text });
      }
      packet.unref();
      if (count % TURN === 0) await new Promise(setImmediate);
    }
  } finally {
    packet.free();
  }
}

/** Whether anything from `start` to `end` is wanted. */
function isWithin(spans: Spans | null, start: number, end: number): boolean {
  if (spans === null) return true;
  const next = spans[firstIndex(spans.length, (index) => (spans[index]?.[1] ?? 0) >= start)];
  return next !== undefined && next[0] <= end;
}

function textOf(data: Buffer, codec: number): string {
  const text = written(data, codec).replace(/\r\n?/g, '\n');
  return text.replace(/[\p{Cc}\p{Cs}]/gu, (one) => (one === '\n' ? one : '')).trim();
}

function written(data: Buffer, codec: number): string {
  // 3GPP TS 26.245: a length, the text, and boxes of style behind it.
  if (codec === AV_CODEC_ID_MOV_TEXT) {
    const bytes = data.length < 2 ? 0 : data.readUInt16BE(0);
    return data.toString('utf8', 2, 2 + bytes);
  }
  const text = data.toString('utf8');
  if (codec === AV_CODEC_ID_ASS || codec === AV_CODEC_ID_SSA) return ofEvent(text);
  if (codec === AV_CODEC_ID_WEBVTT) return ofWebVtt(text);
  return codec === AV_CODEC_ID_TEXT ? text : withoutTags(text);
}

const withoutTags = (text: string) => text.replace(/<\/?[a-z][^<>\n]*>/gi, '');

/** Without times within the text and the readings of ruby. */
const ofWebVtt = (text: string) =>
  withoutReferences(withoutTags(text.replace(/<[\d:.]+>|<rt[^<>\n]*>[^<]*/gi, '')));

/** Fields before the text of an event in Matroska: ReadOrder, Layer, Style, Name, three margins, Effect. */
const FIELDS = 8;

function ofEvent(event: string): string {
  const parts = assParts(event.split(',').slice(FIELDS).join(','));
  return parts.map(({ text }) => text).join('');
}
