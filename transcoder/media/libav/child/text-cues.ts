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
import type { SourceParts } from '../../../model/source/media-source.ts';
import type { Cues, CuesRequest } from '../protocol.ts';
import { streamOf } from './av.ts';
import { openPackets, readPacket, trySeek } from './read/input.ts';

/** Most cues and characters of a track: more than a day of speech. */
const MOST_CUES = 50_000;
const MOST_CHARACTERS = 4_000_000;
/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/**
 * Reads the cues of text tracks. Markup is dropped but for line breaks. An mp4 has an index of its texts, of which no two are shown at once,
 * so only the wanted ones are read there.
 */
export async function cues({ source, streams, spans }: CuesRequest): Promise<Cues> {
  const room = { characters: MOST_CHARACTERS };
  const indexed = spans !== null && source.format === 'mov';
  return (indexed && (await cuesWithin(source, streams, spans, room))) || allCues(source, streams, room);
}

async function allCues(source: SourceParts, streams: readonly number[], room: Room): Promise<Cues> {
  const input = await openPackets(source, streams);
  try {
    return await readOn(input, { streams, until: Number.POSITIVE_INFINITY, room });
  } finally {
    await input.closeInput();
  }
}

/** Each cue once, in order; null if libav cannot seek in a track. */
async function cuesWithin(
  source: SourceParts,
  streams: readonly number[],
  spans: NonNullable<CuesRequest['spans']>,
  room: Room,
): Promise<Cues | null> {
  const found: Cues = [];
  for (const stream of streams) {
    const input = await openPackets(source, [stream]);
    try {
      const { num, den } = streamOf(input, stream).timeBase;
      const own = new Map<number, Cues[number][number]>();
      for (const [from, until] of spans) {
        if (!(await trySeek(input, stream, Math.floor((from * den) / num)))) return null;
        const [read = []] = await readOn(input, { streams: [stream], until, room });
        for (const cue of read) own.set(cue.start, cue);
      }
      found.push([...own.values()].sort((a, b) => a.start - b.start));
    } finally {
      await input.closeInput();
    }
  }
  return found;
}

interface Room {
  /** How many more may be read. */
  characters: number;
}

/** @param until Second behind which nothing is wanted. */
async function readOn(
  input: FormatContext,
  { streams, until, room }: { streams: readonly number[]; until: number; room: Room },
): Promise<Cues> {
  const found: Cues = streams.map(() => []);
  const packet = new Packet();
  packet.alloc();
  try {
    for (let count = 1; await readPacket(input, packet); count++) {
      const { timeBase, codecpar } = streamOf(input, packet.streamIndex);
      const own = found[streams.indexOf(packet.streamIndex)];
      const text = textOf(packet.data ?? Buffer.alloc(0), codecpar.codecId);
      room.characters -= text.length;
      if (room.characters < 0 || (own?.length ?? 0) >= MOST_CUES)
        throw new Error('the text tracks are too long');
      const start = (Number(packet.pts) * timeBase.num) / timeBase.den;
      if (start > until) break;
      const seconds = (Number(packet.duration) * timeBase.num) / timeBase.den;
      if (own && text !== '' && packet.pts !== AV_NOPTS_VALUE && seconds > 0)
        own.push({ start, end: start + seconds, text });
      packet.unref();
      if (count % TURN === 0) await new Promise(setImmediate);
    }
    return found;
  } finally {
    packet.free();
  }
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
