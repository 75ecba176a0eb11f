import type { Arrived } from '../../../schema/media/sniff/arrival.ts';
import { TaskFailure } from '../task-failure.ts';

/** A file with copy protection: it can be opened, and nothing in it can be decoded. */
export const protectedSource: Arrived = {
  what: 'an encrypted file (DRM)',
  advice: 'Give a copy without copy protection.',
};

export const refusedAs = ({ what, advice }: Arrived, about: { sourceIndex?: number; cause?: unknown } = {}) =>
  new TaskFailure('source_not_media', `The source is ${what}. ${advice}`, about);
