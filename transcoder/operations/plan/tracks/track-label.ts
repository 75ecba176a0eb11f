import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import type { TextCodec, TrackLabel } from '../../../model/steps.ts';

/** Codec of a selectable subtitle track in each container. */
export const textCodecs = {
  mp4: 'mov_text',
  mov: 'mov_text',
  mkv: 'subrip',
  webm: 'webvtt',
} as const satisfies Record<VideoContainer, TextCodec>;

/** ISO 639-1 to 639-2/T, which containers use. https://www.loc.gov/standards/iso639-2/php/code_list.php */
const languages: Record<string, string> = Object.fromEntries(
  (
    'ar:ara bg:bul bn:ben ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng es:spa et:est eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg ' +
    'gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn ka:kat kk:kaz km:khm kn:kan ko:kor lo:lao lt:lit lv:lav ' +
    'mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya ne:nep nl:nld no:nor pa:pan pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sq:sqi ' +
    'sr:srp sv:swe sw:swa ta:tam te:tel th:tha tl:tgl tr:tur uk:ukr ur:urd uz:uzb vi:vie zh:zho'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
);

/** From a BCP 47 tag. */
export function languageCode(tag: string | null): string {
  const [primary = ''] = tag?.split('-') ?? [];
  return primary.length === 3 ? primary : (languages[primary] ?? 'und');
}

/** What a source says of one of its tracks. */
export function labelOf({ streams }: MediaProbe, index: number): TrackLabel {
  const stream = streams.find((each) => each.index === index);
  return {
    language: stream?.language ? languageCode(stream.language) : null,
    title: stream?.title ?? null,
    default: stream?.default ?? false,
  };
}

/** Whether a label says anything that a file without labels does not. */
export const isLabelled = ({ language, title }: TrackLabel): boolean => language !== null || title !== null;
