import { AV_CODEC_ID_AAC, AV_PKT_DATA_NEW_EXTRADATA } from 'node-av/constants';
import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { configuredSound } from '../../../../bitstream/aac-config.ts';
import { isSameSound, type SoundHeader, soundHeader } from '../../../../bitstream/sound-header.ts';
import { formOf, type SampleForm } from './sample-form.ts';

/** Notes whether the packets of a sound go on in another configuration, as at the joint of a film and an advertisement. */
export class SoundChanges {
  /** Of the stream. */
  readonly index: number;
  /** The largest sample rate and number of channels so far. */
  readonly largest: SampleForm;
  readonly #codec: string;
  readonly #isAac: boolean;
  #last: SoundHeader | null = null;
  #extradata: Buffer;
  changed = false;

  constructor(stream: Stream) {
    const { index, codecpar } = stream;
    this.index = index;
    this.#codec = avGetCodecName(codecpar.codecId) ?? '';
    this.#isAac = codecpar.codecId === AV_CODEC_ID_AAC;
    this.#extradata = Buffer.from(codecpar.extradata ?? []);
    this.largest = formOf(stream);
  }

  take(packet: Packet): void {
    const header = this.#configured(packet) ?? soundHeader(this.#codec, packet.data ?? new Uint8Array());
    if (!header) return;
    this.changed ||= this.#last !== null && !isSameSound(header, this.#last);
    this.#last = header;
    this.largest.sampleRate = Math.max(this.largest.sampleRate, header.sampleRate);
    this.largest.channels = Math.max(this.largest.channels, header.channels);
  }

  #configured(packet: Packet): SoundHeader | null {
    const extradata = packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA);
    if (!extradata || this.#extradata.equals(extradata)) return null;
    this.changed ||= this.#extradata.length > 0;
    this.#extradata = Buffer.from(extradata);
    return this.#isAac ? configuredSound(extradata) : null;
  }
}
