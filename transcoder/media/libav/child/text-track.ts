import {
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_WEBVTT,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import { Dictionary, Packet, Rational, type Stream } from 'node-av/lib';
import { vttEscaped } from '../../../../schema/media/subtitles.ts';
import type { Text } from '../../../model/splice.ts';

const codecIds = {
  mov_text: AV_CODEC_ID_MOV_TEXT,
  subrip: AV_CODEC_ID_SUBRIP,
  webvtt: AV_CODEC_ID_WEBVTT,
} as const;

const MS = 1000;

/** Default style of captions (3GPP TS 26.245, 5.16): white, 18 points, centered at the bottom. */
function sampleEntry(): Buffer {
  const font = Buffer.from('Sans');
  const size = Buffer.alloc(4);
  size.writeUInt32BE(13 + font.length);
  const [flags, justified, background, box] = [[0, 0, 0, 0], [1, 0xff], [0, 0, 0, 0], Array(8).fill(0)];
  const style = [0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff];
  const fonts = [...size, ...Buffer.from('ftab'), 0, 1, 0, 1, font.length, ...font];
  return Buffer.from([...flags, ...justified, ...background, ...box, ...style, ...fonts]);
}

/** Captions as packets of a subtitle stream. */
export class TextTrack {
  /** Of the packets. */
  readonly timeBase = new Rational(1, MS);
  #text: Text;
  #next = 0;
  #packet = new Packet();

  constructor(text: Text) {
    this.#text = text;
    this.#packet.alloc();
  }

  /** Sets the parameters of the new stream. */
  describe(stream: Stream): void {
    const { codec, language } = this.#text;
    stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE;
    stream.codecpar.codecId = codecIds[codec];
    if (codec === 'mov_text') {
      stream.codecpar.codecTag = 'tx3g';
      stream.codecpar.extradata = sampleEntry();
    }
    stream.timeBase = this.timeBase;
    stream.metadata = Dictionary.fromObject({ language });
  }

  /** The next packet if it is shown before this second. Call `taken` once it is written. */
  before(seconds: number): Packet | null {
    const cue = this.#text.cues[this.#next];
    if (!cue || cue.start >= seconds) return null;
    const { codec } = this.#text;
    const words = Buffer.from(codec === 'webvtt' ? vttEscaped(cue.text) : cue.text);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Math.min(0xffff, words.length));
    const packet = this.#packet;
    packet.unref();
    packet.data = codec === 'mov_text' ? Buffer.concat([length, words]) : words;
    packet.isKeyframe = true;
    const [start, end] = [Math.round(cue.start * MS), Math.round(cue.end * MS)];
    packet.pts = packet.dts = BigInt(start);
    packet.duration = BigInt(Math.max(1, end - start));
    return packet;
  }

  taken(): void {
    this.#next += 1;
  }

  close(): void {
    this.#packet.free();
  }
}
