import { type Decoded, decode } from './decode.ts';
import { statedBy } from './source-model.ts';

/** What came out of a task, decoded. */
export async function outputModelOf(path: string): Promise<Decoded> {
  const stated = await statedBy(path);
  if (!stated?.video && !stated?.audio) {
    return { pictures: null, sound: null, complaints: 'ffprobe finds nothing in it' };
  }
  return decode(path, { video: stated.video?.index, audio: stated.audio?.index });
}
