import { nearestName } from './nearest-name.ts';

/**
 * Fields that people and models call by other names, most likely first. Of a line, the first field that the request has is meant;
 * a name may stand in several lines.
 */
const otherNames: readonly (readonly [fields: string, names: string])[] = [
  [
    'video_url audio_url url urls photo_url',
    'url uri link src source video_url audio_url source_url input input_url input_file file file_url media media_url video video_file video_src path asset',
  ],
  ['audio_url voice_url', 'audio sound mp3 audio_file audio_src track recording'],
  ['voice_url', 'speech voiceover narration new_audio'],
  ['urls photo_urls', 'videos clips files inputs sources images photos pictures playlist'],
  ['photo_url image_url', 'image img photo picture pic image_url img_url picture_url photo_url image_file'],
  ['photo_urls', 'image_urls img_urls picture_urls photos_url'],
  ['background_audio_url bg_url audio_url', 'music bgm background_music soundtrack music_url'],
  ['start', 'from begin in ss start_at offset start_time start_seconds t0 seek'],
  ['end', 'to until stop finish out end_at end_time t1'],
  ['duration', 'length time dur seconds t for'],
  ['segments ranges', 'ranges segments parts cuts chapters sections clips intervals trims'],
  ['rate silent_speed', 'speed tempo factor playback_rate playback_speed'],
  ['reverse', 'backwards backward reversed rewind'],
  ['rotate', 'rotation angle turn orientation'],
  ['flip', 'mirror hflip vflip mirrored'],
  ['timestamps', 'time times timecodes at positions seconds'],
  ['count', 'number n num frames frame_count amount'],
  ['callback_url', 'webhook webhook_url webhooks notify_url hook on_complete'],
  ['output_name', 'filename file_name name output out_file download_name'],
  ['aspect_ratio', 'ratio aspect ar shape'],
  [
    'format',
    'container extension ext type output_type mime_type file_type output_format video_format audio_format',
  ],
  ['codec', 'vcodec encoder video_codec video_encoder output_codec'],
  ['audio_codec', 'acodec audio_encoder'],
  ['quality', 'crf bitrate video_bitrate q compression'],
  ['audio_bitrate_kbps bitrate_kbps', 'bitrate audio_bitrate ab kbps'],
  ['fps', 'framerate frame_rate rate r'],
  ['height output_height', 'size resolution h'],
  ['width output_width', 'w'],
  ['audio', 'mute muted no_audio silent audio_enabled remove_audio keep_audio has_audio include_audio'],
  ['audio_only', 'extract_audio no_video'],
  ['normalize_lufs normalize_audio', 'loudness lufs normalize normalise volume'],
  ['captions script', 'text subtitles subs srt vtt transcript words lyrics'],
  ['words', 'transcript timed_words'],
  ['keep_text', 'keep text'],
  ['vocabulary', 'keywords terms hints glossary names'],
  ['captions_url', 'subtitles_url srt_url'],
  ['colors', 'color colour palette'],
  ['epsilon', 'offset before_end'],
  ['preset style', 'theme template look effect animation movement'],
  ['style', 'font font_size fontsize font_color color colour visualization'],
  ['transition', 'effect xfade'],
  ['fade_in fade', 'fade fade_duration fade_length fade_in_duration fade_in_seconds'],
  ['fade_out', 'fade_out_duration fade_out_seconds'],
  ['transition_duration duration', 'fade_duration crossfade'],
  ['language', 'lang locale'],
  ['voice_id', 'voice speaker narrator voice_name preset'],
  ['voice_sample_url', 'sample reference reference_audio sample_url target_voice'],
  ['provider engine', 'model vendor backend'],
  ['pitch_semitones', 'pitch semitones shift'],
  ['threshold_db', 'threshold noise_threshold silence_threshold db'],
  ['min_silence', 'silence_duration minimum_silence min_duration'],
  ['padding_before padding', 'padding pad margin'],
  ['burn', 'burn_in hardcode hardsub embed_captions'],
  ['outputs', 'formats files caption_format format'],
  ['cursor', 'page offset after before skip starting_after ending_before page_token next next_cursor'],
  ['limit', 'per_page page_size pagesize size count n take'],
  ['from', 'start start_date since after'],
  ['to', 'end end_date until before'],
  ['size_bytes', 'size file_size length content_length bytes'],
  ['stems', 'tracks parts'],
  ['otio', 'timeline document edit sequence edl xml fcpxml'],
  ['media', 'sources files clips urls video_url media_urls assets'],
  ['date', 'year release_date'],
  ['artist', 'author'],
  ['dry_run', 'validate preview test simulate'],
  ['metadata', 'meta tags user_data custom labels'],
  ['crop x', 'rect rectangle box left'],
  ['y', 'top'],
  ['fit fill', 'mode resize scale'],
  ['background background_color', 'bg bg_color background_color background_colour pad_color'],
];

/** Words that say too little about a field. */
const weakWords = new Set(['url', 'id', 'db', 'ms', 'seconds', 'the', 'is', 'of', 'in', 'to']);

/** `minSilence` and `min-silence` as `min_silence`. */
const snake = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[-\s.]+/g, '_')
    .toLowerCase();

/** Words that say which property of a thing is meant: `audio_volume` is no `audio_url`. */
const properties = new Set(
  'bitrate codec encoder color colour duration format fps height language model name rate size style text type volume width'.split(
    ' ',
  ),
);

const wordsOf = (name: string) => name.split('_').filter((word) => word !== '' && !weakWords.has(word));

/**
 * The field that an unknown one most likely stands for; null if there is none: a misspelt name, another usual name for the same thing,
 * a field of an object in the request (`inner`, such as `set.title`), or one that shares its words.
 */
export function nearestField(
  given: string,
  fields: readonly string[],
  inner: readonly string[] = [],
): string | null {
  if (given === '' || given.length > 64) return null;
  const asked = snake(given);
  if (fields.includes(asked)) return asked;
  return (
    byOtherName(asked, fields) ??
    inner.find((name) => name.endsWith(`.${asked}`)) ??
    nearestName(given, fields) ??
    (asked === 'id' ? onlyId(fields) : bySharedWords(asked, fields))
  );
}

/** The only field that takes an id. */
function onlyId(fields: readonly string[]): string | null {
  const [id, ...others] = fields.filter((name) => name.endsWith('_id'));
  return id !== undefined && others.length === 0 ? id : null;
}

function byOtherName(asked: string, fields: readonly string[]): string | null {
  for (const [meant, names] of otherNames) {
    if (!names.split(' ').includes(asked)) continue;
    const found = meant.split(' ').find((name) => fields.includes(name));
    if (found !== undefined) return found;
  }
  return null;
}

/** The field with the greatest share of its words in the name; of equals the one with more words. It has every property that the name has. */
function bySharedWords(asked: string, fields: readonly string[]): string | null {
  const given = new Set(wordsOf(asked));
  let best: { name: string; score: number } | null = null;
  for (const name of fields) {
    const words = wordsOf(name);
    if ([...given].some((word) => properties.has(word) && !words.includes(word))) continue;
    const shared = words.filter((word) => given.has(word)).length;
    const score = shared === 0 ? 0 : shared / words.length + shared / 10;
    if (score >= 0.6 && (!best || score > best.score)) best = { name, score };
  }
  return best?.name ?? null;
}
