import { decodePictures, decodeSound, type Pictures, type Sound } from './decode.ts';
import { statedBy } from './source-model.ts';

/** What came out of a task, decoded. */
export interface OutputModel {
  pictures: Pictures | null;
  sound: Sound | null;
  complaints: string;
}

export async function outputModelOf(path: string): Promise<OutputModel> {
  const stated = await statedBy(path);
  if (stated === null) return { pictures: null, sound: null, complaints: 'ffprobe does not open it' };
  const { video, audio } = stated;
  const pictures = video && (await decodePictures(path, `0:${video.index}`));
  const sound = audio && (await decodeSound(path, `0:${audio.index}`));
  return { pictures, sound, complaints: `${pictures?.complaints ?? ''}${sound?.complaints ?? ''}` };
}
