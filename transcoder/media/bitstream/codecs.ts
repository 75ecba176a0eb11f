import type { Codec } from './codec.ts';
import { h264 } from './h264.ts';

/** The codecs whose packets are copied beside frames that are encoded anew, as ffmpeg names them. */
export const codecs = { h264 } satisfies Record<string, Codec>;
export type SplicedCodec = keyof typeof codecs;

export const splicedCodecs = Object.keys(codecs) as [SplicedCodec, ...SplicedCodec[]];

export const isSpliced = (name: string): name is SplicedCodec => name in codecs;
