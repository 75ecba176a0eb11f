import { type Decoded, decode } from './decode.ts';
import { filledFromStart } from './source-sound.ts';
import { statedBy } from './stated.ts';

/** What came out of a task, decoded. */
export async function outputModelOf(path: string): Promise<Decoded> {
  const stated = await statedBy(path);
  if (!stated?.video && !stated?.audio) {
    return { pictures: null, sound: null, complaints: 'ffprobe finds nothing in it' };
  }
  const { video, audio, family } = stated;
  const decoded = await decode(path, { video: video?.index, audio: audio?.index });
  if (!audio || !decoded.sound) return decoded;
  return { ...decoded, sound: filledFromStart(audio, family, decoded.sound) };
}
