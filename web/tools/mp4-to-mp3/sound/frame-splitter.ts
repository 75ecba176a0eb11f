import { readMp3Frame } from './mp3-frame.ts';

/** Bytes of the header of a frame. */
const HEADER = 4;

/** Divides what an encoder puts out into frames of layer III; it may end in the middle of one. */
export class FrameSplitter {
  #rest: Uint8Array = new Uint8Array();

  /** @returns the frames that are complete now. @throws Error where no frame begins */
  push(bytes: Uint8Array): Uint8Array[] {
    const all = new Uint8Array(this.#rest.length + bytes.length);
    all.set(this.#rest);
    all.set(bytes, this.#rest.length);
    const frames: Uint8Array[] = [];
    let at = 0;
    while (all.length - at >= HEADER) {
      const frame = readMp3Frame(all.subarray(at, at + HEADER));
      if (!frame) throw new Error('the encoder put out something other than MP3');
      if (at + frame.bytes > all.length) break;
      frames.push(all.slice(at, at + frame.bytes));
      at += frame.bytes;
    }
    this.#rest = all.slice(at);
    return frames;
  }
}
