import type { Entrance } from '../../../bitstream/codec.ts';
import type { Copy } from '../../../model/splice.ts';

/** Writes the frames of a splice at their output times, interleaved with its other tracks. */
export interface FrameWriter {
  /** The last frame written, if it is a keyframe. */
  lastKey(): Promise<Uint8Array | null>;
  /** Writes the next frame from encoded bytes. */
  bytes(data: Uint8Array, key: boolean): Promise<void>;
  /** Writes the next frames from packets of an input. Throws if they differ from the survey. */
  copied(input: number, copy: Copy, entrance: Entrance): Promise<void>;
  /** Writes what is left, and closes the file. Throws if frames are missing. */
  finish(): Promise<void>;
  /** Called in any case. */
  close(): Promise<void>;
}
