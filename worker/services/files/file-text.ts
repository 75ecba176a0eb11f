import type { StoredFile } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';

/** Bytes of a text that are shown. */
const SHOWN_BYTES = 16 * 1024;

const textual = /^(?:text\/|application\/(?:json|xml|x-subrip)$)/;

export const isText = ({ media_type }: Pick<StoredFile, 'media_type'>) => textual.test(media_type);

/** The beginning of a text file of a task; null if the file is gone. */
export async function beginningOf(
  { files }: Context,
  { key, file_size }: StoredFile,
): Promise<{ text: string; isWhole: boolean } | null> {
  const length = Math.min(SHOWN_BYTES, file_size);
  const isWhole = length === file_size;
  if (length === 0) return { text: '', isWhole };
  const body = await files.read(key, { offset: 0, length });
  if (!body) return null;
  // A stream leaves out a last character that is cut in two.
  return {
    text: new TextDecoder().decode(await new Response(body).arrayBuffer(), { stream: !isWhole }),
    isWhole,
  };
}
