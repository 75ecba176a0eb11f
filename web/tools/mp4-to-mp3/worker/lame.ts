import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders';
import lame from 'wasm-media-encoders/wasm/mp3';
import { ToolError } from '../failures.ts';
import { bitrates, type Quality, variable } from '../settings.ts';
import { FrameSplitter } from '../sound/frame-splitter.ts';
import type { Planes } from '../sound/timeline.ts';

/** LAME, for sound of one rate and number of channels. */
export class Lame {
  readonly #encoder: WasmMediaEncoder<'audio/mpeg'>;
  readonly #frames = new FrameSplitter();

  private constructor(encoder: WasmMediaEncoder<'audio/mpeg'>) {
    this.#encoder = encoder;
  }

  /** @throws ToolError no_encoder */
  static async open(sampleRate: number, channels: 1 | 2, quality: Quality): Promise<Lame> {
    const encoder = await createEncoder('audio/mpeg', lame).catch((error) => {
      console.error(error);
      throw new ToolError({ code: 'no_encoder' });
    });
    const bitrate = bitrates.find((rate) => `${rate}` === quality);
    const wanted = bitrate ? { bitrate } : { vbrQuality: variable[quality as keyof typeof variable].lame };
    encoder.configure({ sampleRate, channels, ...wanted });
    return new Lame(encoder);
  }

  /** The frames that are complete after these samples. */
  encode(planes: Planes): Uint8Array[] {
    return this.#frames.push(this.#encoder.encode(planes));
  }

  /** The last frames. */
  end(): Uint8Array[] {
    return this.#frames.push(this.#encoder.finalize());
  }
}
