import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SSA,
  AV_CODEC_ID_TEXT,
  AV_NOPTS_VALUE,
} from 'node-av/constants';
import { Packet } from 'node-av/lib';
import type { Cues, CuesRequest } from '../protocol.ts';
import { streamOf } from './av.ts';
import { openPackets, readPacket } from './read/input.ts';

/** Most cues and characters of a track: more than a day of speech. */
const MOST_CUES = 50_000;
const MOST_CHARACTERS = 4_000_000;
/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

/** Reads the cues of text tracks. Markup is dropped but for line breaks. */
export async function cues({ source, streams }: CuesRequest): Promise<Cues> {
  const input = await openPackets(source, streams);
  const found: Cues = streams.map(() => []);
  const packet = new Packet();
  packet.alloc();
  let left = MOST_CHARACTERS;
  try {
    for (let count = 1; await readPacket(input, packet); count++) {
      const { timeBase, codecpar } = streamOf(input, packet.streamIndex);
      const own = found[streams.indexOf(packet.streamIndex)];
      const text = textOf(packet.data ?? Buffer.alloc(0), codecpar.codecId);
      left -= text.length;
      if (left < 0 || (own?.length ?? 0) >= MOST_CUES) throw new Error('the text tracks are too long');
      const start = (Number(packet.pts) * timeBase.num) / timeBase.den;
      const seconds = (Number(packet.duration) * timeBase.num) / timeBase.den;
      if (own && text !== '' && packet.pts !== AV_NOPTS_VALUE && seconds > 0)
        own.push({ start, end: start + seconds, text });
      packet.unref();
      if (count % TURN === 0) await new Promise(setImmediate);
    }
    return found;
  } finally {
    packet.free();
    await input.closeInput();
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
  return codec === AV_CODEC_ID_TEXT ? text : text.replace(/<\/?[a-z][^<>\n]*>/gi, '');
}

/** Fields before the text of an event in Matroska: ReadOrder, Layer, Style, Name, three margins, Effect. */
const FIELDS = 8;

function ofEvent(event: string): string {
  const text = event.split(',').slice(FIELDS).join(',');
  return text
    .replace(/\{[^{}]*\}/g, '')
    .replace(/\\N/g, '\n')
    .replace(/\\[nh]/g, ' ');
}
