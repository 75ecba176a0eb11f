import type { SplicedCodec } from '../model/splice.ts';
import { av1 } from './av1.ts';
import type { Codec } from './codec.ts';
import { h264 } from './h264.ts';
import { hevc } from './hevc.ts';
import { vp9 } from './vp9.ts';

export const codecs = { h264, hevc, av1, vp9 } satisfies Record<SplicedCodec, Codec>;
