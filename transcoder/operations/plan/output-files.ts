import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { AudioContainer, VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { PlannedFile } from '../../model/plan.ts';

type Container = VideoContainer | AudioContainer;

/** The container for sound only that corresponds to a video container. */
export const soundOf = { mp4: 'm4a', mov: 'm4a', webm: 'webm', mkv: 'mkv' } as const;

const videoTypes: Record<VideoContainer, string> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/matroska',
};

const audioTypes: Record<AudioContainer | 'webm' | 'mkv', { media_type: string; extension: string }> = {
  mp3: { media_type: 'audio/mpeg', extension: 'mp3' },
  m4a: { media_type: 'audio/mp4', extension: 'm4a' },
  wav: { media_type: 'audio/wav', extension: 'wav' },
  flac: { media_type: 'audio/flac', extension: 'flac' },
  ogg: { media_type: 'audio/ogg', extension: 'ogg' },
  webm: { media_type: 'audio/webm', extension: 'webm' },
  mkv: { media_type: 'audio/matroska', extension: 'mka' },
};

export function videoFile(container: VideoContainer): PlannedFile {
  return { role: 'video', file: `out.${container}`, extension: container, media_type: videoTypes[container] };
}

export function audioFile(container: AudioContainer | 'webm' | 'mkv'): PlannedFile {
  return { role: 'audio', file: `out.${container}`, ...audioTypes[container] };
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
