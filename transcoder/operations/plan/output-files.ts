import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { audioMediaTypes, videoMediaTypes } from '../../../schema/media/media-types.ts';
import type { AudioContainer, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { PlannedFile } from '../../model/plan.ts';

type Container = VideoContainer | AudioContainer;

/** The container for sound only that corresponds to a video container. */
export const soundOf = { mp4: 'm4a', mov: 'm4a', webm: 'webm', mkv: 'mkv' } as const;

export function videoFile(container: VideoContainer): PlannedFile {
  return {
    role: 'video',
    file: `out.${container}`,
    extension: container,
    media_type: videoMediaTypes[container],
  };
}

export function audioFile(container: AudioContainer | 'webm' | 'mkv'): PlannedFile {
  return {
    role: 'audio',
    file: `out.${container}`,
    extension: container === 'mkv' ? 'mka' : container,
    media_type: audioMediaTypes[container],
  };
}

const demuxerNames: Record<Container, Demuxer> = {
  mp4: 'mov',
  mov: 'mov',
  m4a: 'mov',
  webm: 'matroska',
  mkv: 'matroska',
  mp3: 'mp3',
  wav: 'wav',
  flac: 'flac',
  ogg: 'ogg',
};

/** The demuxer for a file that we wrote. */
export function demuxerFor(container: Container): Demuxer {
  return demuxerNames[container];
}
