import type { ExampleSource } from '../../../schema/api/example-sources.ts';

export const sampleFiles = {
  speaker: 'talk.mp4',
  speech: 'speech.m4a',
  song: 'song.m4a',
  music: 'music.m4a',
  photo: 'photo.jpg',
} as const satisfies Record<string, ExampleSource>;

/** Media of this service that tasks can read, by what they are. */
export type Samples = Partial<Record<'video' | keyof typeof sampleFiles, string>>;

/** Which sample replaces which media of the examples. With it, an example works as it is. */
const standIns: Record<string, keyof Samples> = {
  'talk.mp4': 'video',
  'talk.mov': 'video',
  'tour.mp4': 'video',
  'studio.mp4': 'video',
  'intro.mp4': 'video',
  'outro.mp4': 'video',
  'interview.mp4': 'speaker',
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

/** A text with samples in place of the media of the examples. */
export const withSamples = (text: string, samples: Samples): string =>
  text.replace(/https:\/\/media\.example\.com\/([\w.-]+)/g, (address, file: string) => {
    const kind = standIns[file];
    return (kind && samples[kind]) ?? address;
  });
