import type { RemuxFormat } from '../../../schema/operations/remux.ts';
import type { ContentTrack } from '../../model/source/contents.ts';
import type { CoverFormat } from '../../model/steps.ts';

/** What a container can hold, as the installed muxer writes it and reads it back. */
export interface Holding {
  video: readonly string[];
  audio: readonly string[];
  subtitle: readonly string[];
  /** Four-character codes of data tracks. */
  data: readonly string[];
  attachments: boolean;
  covers: boolean;
  chapters: boolean;
  /** Whether it has one sound track and nothing else. */
  single: boolean;
  /** Names of tags; null for any. */
  tags: readonly string[] | null;
  /** Whether tracks have a title. */
  titles: boolean;
  /** Languages of tracks; `none`, those that QuickTime numbers, or any. */
  languages: 'none' | 'quicktime' | 'any';
}

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

const mpeg = names('h264 hevc mpeg4 mpeg2video mpeg1video');
const pcm = names('pcm_s16le pcm_s24le pcm_s32le pcm_u8 pcm_f32le pcm_f64le pcm_alaw pcm_mulaw');
const pcmBig = names('pcm_s16be pcm_s24be pcm_s32be pcm_f32be pcm_f64be pcm_s8');

/** iTunes atoms. */
const atoms = names(`
  title artist album_artist composer album date comment genre copyright grouping lyrics
  description synopsis show episode_id network keywords episode_sort season_number media_type
  hd_video gapless_playback compilation track disc location creation_time
`);

const none: Holding = {
  ...{ video: [], audio: [], subtitle: [], data: [], attachments: false, covers: false, chapters: false },
  ...{ single: false, tags: null, titles: false, languages: 'none' },
};

export const holdings: Record<RemuxFormat, Holding> = {
  mp4: {
    ...{ ...none, covers: true, chapters: true, titles: true, languages: 'any', tags: atoms },
    video: [...mpeg, ...names('av1 vp9 mjpeg')],
    audio: names('aac mp3 ac3 eac3 opus flac alac dts'),
    ...{ subtitle: ['mov_text'], data: ['gpmd'] },
  },
  mov: {
    ...{ ...none, chapters: true, titles: true, languages: 'quicktime' },
    video: [...mpeg, ...names('mjpeg prores dnxhd dvvideo h263 qtrle cinepak svq1 svq3 png')],
    audio: [...names('aac mp3 ac3 eac3 alac amr_wb'), ...pcm, ...pcmBig],
    ...{ subtitle: ['mov_text'], data: ['gpmd'] },
  },
  m4a: {
    ...{ ...none, covers: true, chapters: true, titles: true, languages: 'any', tags: atoms },
    audio: names('aac alac ac3'),
  },
  mkv: {
    ...{ ...none, attachments: true, covers: true, chapters: true, titles: true, languages: 'any' },
    video: [
      ...mpeg,
      ...names(`
        av1 vp8 vp9 mjpeg prores dnxhd dvvideo theora ffv1 h263 msmpeg4v2 msmpeg4v3 wmv1 wmv2 wmv3 vc1
        flv1 vp6f rv30 rv40
      `),
    ],
    audio: [
      ...pcm,
      ...names(`
        aac mp3 mp2 ac3 eac3 opus vorbis flac alac dts truehd mlp wmav1 wmav2 wmapro wavpack tta speex
        pcm_s16be pcm_s24be
      `),
    ],
    subtitle: names(`
      subrip ass webvtt dvd_subtitle hdmv_pgs_subtitle dvb_subtitle hdmv_text_subtitle
    `),
  },
  webm: {
    ...{ ...none, chapters: true, titles: true, languages: 'any' },
    ...{ video: names('vp8 vp9 av1'), audio: ['opus', 'vorbis'], subtitle: ['webvtt'] },
  },
  mp3: { ...none, single: true, covers: true, chapters: true, audio: ['mp3'] },
  flac: { ...none, single: true, covers: true, audio: ['flac'] },
  ogg: {
    ...none,
    chapters: true,
    languages: 'any',
    titles: true,
    audio: names('opus vorbis flac speex'),
  },
  wav: {
    ...{ ...none, single: true, audio: pcm },
    tags: names('title artist album comment copyright date genre track'),
  },
};

/** The pictures that containers hold as covers. */
export function coverOf({ codec }: Pick<ContentTrack, 'codec'>): CoverFormat | null {
  return codec === 'mjpeg' ? 'jpeg' : codec === 'png' ? 'png' : null;
}

export function holds(format: RemuxFormat, { type, codec, tag }: ContentTrack): boolean {
  const holding = holdings[format];
  if (type === 'attachment') return holding.attachments;
  if (type === 'cover') return holding.covers && coverOf({ codec }) !== null;
  return type === 'data' ? holding.data.includes(tag) : holding[type].includes(codec);
}

/** ISO 639-2 codes for which QuickTime has another name. */
const quicktime: Readonly<Record<string, string>> = {
  ...{ deu: 'ger', nld: 'dut', swe: 'sve', ell: 'gre', isl: 'ice', zho: 'chi', sqi: 'alb', mkd: 'mac' },
};
const numbered = new Set(
  names(`
    eng fra ger ita dut sve spa dan por nor heb jpn ara fin gre ice mlt tur chi urd hin tha kor lit
    pol hun est lav rus alb ron ces slk slv yid mac bul ukr bel
  `),
);

/** A language as the container writes it; null if it cannot. */
export function languageIn(format: RemuxFormat, language: string): string | null {
  const { languages } = holdings[format];
  if (languages === 'none') return null;
  if (languages === 'quicktime') {
    const name = quicktime[language] ?? language;
    return numbered.has(name) ? name : null;
  }
  // ISO/IEC 14496-12 packs three letters; Matroska and Ogg store a text.
  const packed = format === 'mp4' || format === 'm4a';
  return packed && !/^[a-z]{3}$/.test(language) ? null : language;
}
