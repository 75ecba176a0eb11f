import { AV_DISPOSITION_DEFAULT, AVFMT_FLAG_BITEXACT, AVMEDIA_TYPE_SUBTITLE } from 'node-av/constants';
import { Dictionary, FormatContext, type Stream } from 'node-av/lib';
import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Joined } from '../../../bitstream/codec.ts';
import { languageIn } from '../../../model/macintosh-languages.ts';
import type { SpliceRequest } from '../../../model/splice.ts';
import { turned } from './autorotate.ts';
import { checked, pixelShape, streamOf } from './av.ts';

/** A stream to copy, and what the output says of it. */
export interface OutputTrack {
  stream: Stream;
  label: NonNullable<SpliceRequest['others']>[number]['label'] | null;
}

/** Optional content of a file in addition to its copied streams. */
interface Additions {
  /** A text that is written rather than copied. */
  text?: { describe(stream: Stream): void } | null;
  metadata?: { comment: string } | undefined;
  /** Clockwise turn of the displayed picture of the first stream, in degrees. */
  rotate?: 90 | 180 | 270 | undefined;
  /** Whether the index may be at the end. */
  between?: boolean | undefined;
  /** Bytes to leave in front for an index of known size; otherwise the file is copied once more to put it there. */
  reserved?: number | null;
}

export const isText = ({ stream }: Pick<OutputTrack, 'stream'>): boolean =>
  stream.codecpar.codecType === AVMEDIA_TYPE_SUBTITLE;

/** Where tracks are in an output: a text that is written comes before texts that are copied, which are last. */
export function placesOf(
  tracks: readonly Pick<OutputTrack, 'stream'>[],
  written: boolean,
): { copied: number[]; text: number | null } {
  const texts = tracks.findIndex(isText);
  const before = texts < 0 ? tracks.length : texts;
  const copied = tracks.map((_, index) => (written && index >= before ? index + 1 : index));
  return { copied, text: written ? before : null };
}

/** Opens an output with these tracks. @param joined Describes the first one, if it is the video. */
export async function openOutput(
  file: string,
  container: VideoContainer | 'm4a',
  tracks: readonly OutputTrack[],
  joined: Pick<Joined, 'extradata' | 'tag'> | null,
  { text = null, metadata, rotate, between, reserved = null }: Additions = {},
): Promise<FormatContext> {
  const output = new FormatContext();
  checked(output.allocOutputContext2(null, muxers[container], file), 'open output');
  output.setFlags(AVFMT_FLAG_BITEXACT);
  const [first] = tracks;
  if (!first) throw new Error('the output has no streams');
  const places = placesOf(tracks, text !== null);
  for (const [index, track] of tracks.entries()) {
    if (places.copied[index] !== output.nbStreams) text?.describe(output.newStream());
    describe(output.newStream(), track, container);
  }
  if (text && output.nbStreams === places.text) text.describe(output.newStream());
  choose(output, tracks, places);
  if (metadata) output.metadata = Dictionary.fromObject({ ...metadata });
  const { codecpar } = streamOf(output, 0);
  if (rotate) checked(turned(codecpar, rotate), 'rotate');
  const isMp4 = container === 'mp4' || container === 'mov' || container === 'm4a';
  if (isMp4 && joined) codecpar.codecTag = joined.tag;
  if (joined && joined.extradata.length > 0) codecpar.extradata = Buffer.from(joined.extradata);
  checked(await output.openOutput(), 'open output');
  const sound = tracks.find(({ stream }) => stream.codecpar.sampleRate > 0);
  const options = {
    ...(reserved === null ? {} : { moov_size: reserved }),
    ...(between || reserved !== null ? {} : { movflags: '+faststart' }),
    video_track_timescale: first.stream.timeBase.den,
    movie_timescale: sound?.stream.codecpar.sampleRate ?? first.stream.timeBase.den,
  };
  checked(await output.writeHeader(Dictionary.fromObject(isMp4 ? options : {})), 'write header');
  return output;
}

function describe(made: Stream, { stream, label }: OutputTrack, container: VideoContainer | 'm4a'): void {
  checked(stream.codecpar.copy(made.codecpar), 'copy parameters');
  made.codecpar.codecTag = 0;
  made.timeBase = stream.timeBase;
  made.avgFrameRate = stream.avgFrameRate;
  // Muxers refuse streams with two shapes, and that of mov writes the one of the codec alone.
  made.sampleAspectRatio = made.codecpar.sampleAspectRatio = pixelShape(stream);
  const { language, title } = label ?? { language: null, title: null };
  const tags = {
    ...(language === null ? {} : { language: languageIn(container, language) }),
    ...(title === null ? {} : { title }),
  };
  if (Object.keys(tags).length > 0) made.metadata = Dictionary.fromObject(tags);
}

/** Which of several sounds, and which texts, players choose by themselves: the text that is written, or what the labels say. */
function choose(
  output: FormatContext,
  tracks: readonly OutputTrack[],
  places: ReturnType<typeof placesOf>,
): void {
  const chosen = (index: number, value: boolean) => {
    if (value) streamOf(output, index).setDisposition(AV_DISPOSITION_DEFAULT);
    else streamOf(output, index).clearDisposition(AV_DISPOSITION_DEFAULT);
  };
  const all = tracks.map((track, index) => ({ ...track, at: places.copied[index] ?? index }));
  const [texts, sounds] = [all.filter(isText), all.filter((track, index) => index > 0 && !isText(track))];
  if (sounds.length > 1) for (const { at, label } of sounds) chosen(at, label?.default ?? false);
  for (const { at, label } of texts) chosen(at, places.text === null && (label?.default ?? false));
  if (places.text !== null && texts.length > 0) chosen(places.text, true);
}

const muxers = { mp4: 'mp4', mov: 'mov', webm: 'webm', mkv: 'matroska', m4a: 'ipod' } as const;
