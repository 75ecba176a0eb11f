import { EXAMPLE_ORIGIN } from '../example-tasks.ts';
import type { Site } from './doc-page.ts';

/** Samples of this service that replace the media of the examples. With them, examples work as pasted. */
const standIns: Record<string, keyof Site['samples']> = {
  'talk.mp4': 'video',
  'talk.mov': 'video',
  'tour.mp4': 'video',
  'studio.mp4': 'video',
  'intro.mp4': 'video',
  'outro.mp4': 'video',
  'interview.mp4': 'speaker',
  'karaoke.mp4': 'speaker',
  'voice.mp3': 'speech',
  'take.wav': 'speech',
  'sample.wav': 'speech',
  'podcast.mp3': 'speech',
  'song.mp3': 'song',
  'music.mp3': 'music',
  'cover.jpg': 'photo',
  'beach.jpg': 'photo',
  'mountains.jpg': 'photo',
  'one.jpg': 'photo',
  'two.jpg': 'photo',
  'three.jpg': 'photo',
};

/** A text with the addresses of this service, and of its samples where tasks can read them. */
export function located(text: string, { url, samples }: Site): string {
  const here = text.replace(/https:\/\/media\.example\.com\/([\w.-]+)/g, (address, file: string) => {
    const kind = standIns[file];
    return (kind && samples[kind]) ?? address;
  });
  return here.replaceAll(EXAMPLE_ORIGIN, url);
}
