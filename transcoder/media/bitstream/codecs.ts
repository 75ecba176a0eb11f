import { av1 } from './av1.ts';
import type { Codec } from './codec.ts';
import { h264 } from './h264.ts';
import { hevc } from './hevc.ts';
import { vp9 } from './vp9.ts';

/** The codecs whose packets are copied beside frames that are encoded anew, as ffmpeg names them. */
export const codecs = { h264, hevc, av1, vp9 } satisfies Record<string, Codec>;
export type SplicedCodec = keyof typeof codecs;

export const splicedCodecs = Object.keys(codecs) as [SplicedCodec, ...SplicedCodec[]];

export const isSpliced = (name: string): name is SplicedCodec => name in codecs;
