import { mediaTypeOf } from '../../../schema/media/demuxers.ts';
import { whatArrived } from '../../../schema/media/sniff/arrived.ts';
import { demuxerIn, type ReadBytes, SNIFF_BYTES } from '../../../schema/media/sniff/demuxer-of.ts';
import { fontType } from '../../../schema/media/sniff/font.ts';

/**
 * The media type of a file by its content, recognized as the transcoder does. Captions and scripts are text; fonts are for captions.
 * @returns `what` it is if tasks cannot read it
 */
export async function contentType(read: ReadBytes): Promise<{ mediaType: string } | { what: string }> {
  const demuxer = await demuxerIn(read);
  if (demuxer !== null) return { mediaType: mediaTypeOf[demuxer] };
  const head = await read(0, SNIFF_BYTES);
  const font = fontType(head);
  if (font !== null) return { mediaType: font };
  const arrived = whatArrived(head);
  if (arrived?.captions) return { mediaType: 'text/plain' };
  return { what: arrived?.what ?? 'in a format that is not supported' };
}
