import {
  BufferTarget,
  EncodedAudioPacketSource,
  type Input,
  type MetadataTags,
  Mp3OutputFormat,
  Output,
} from 'mediabunny';
import type { Choices } from '../settings.ts';

type Kept =
  | 'album'
  | 'albumArtist'
  | 'trackNumber'
  | 'tracksTotal'
  | 'discNumber'
  | 'discsTotal'
  | 'genre'
  | 'date';
const KEPT: Kept[] = [
  ...(['album', 'albumArtist', 'trackNumber', 'tracksTotal'] as const),
  ...(['discNumber', 'discsTotal', 'genre', 'date'] as const),
];

/** The tags of the MP3: the chosen title, artist and cover, and tags of the source that describe a recording. */
export async function chosenTags(
  input: Input,
  { title, artist, cover }: Choices,
  frame: () => Promise<Blob | null>,
): Promise<MetadataTags> {
  const known = await input.getMetadataTags().catch((): MetadataTags => ({}));
  const tags: MetadataTags = Object.fromEntries(
    KEPT.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])),
  );
  if (title !== '') tags.title = title;
  if (artist !== '') tags.artist = artist;
  if (cover === 'source') tags.images = known.images?.slice(0, 1) ?? [];
  const picture = cover === 'frame' ? await frame() : null;
  if (picture) {
    const data = new Uint8Array(await picture.arrayBuffer());
    tags.images = [{ data, mimeType: picture.type, kind: 'coverFront' }];
  }
  return tags;
}

/** The bytes of an ID3v2 tag: what the library writes before the first frame of an MP3 without sound. */
export async function id3Bytes(tags: MetadataTags): Promise<Uint8Array> {
  let end = 0;
  const format = new Mp3OutputFormat({
    onXingFrame: (_, position) => {
      end = position;
    },
  });
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const decoderConfig = { codec: 'mp3', sampleRate: 48000, numberOfChannels: 2 };
  output.addAudioTrack(new EncodedAudioPacketSource('mp3'), { decoderConfig });
  output.setMetadataTags(tags);
  await output.start();
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0)).slice(0, end);
}
