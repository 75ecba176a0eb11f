import type { OperationName } from '../../../schema/operations/index.ts';

export interface Wrong {
  operation: OperationName;
  /** Fields that replace the same fields of the first example. */
  fields: Record<string, unknown>;
  /** What the answer says, among others: the pointer of the field, or the name that was meant. */
  says: string;
}

/** A field that the operation does not have, and the one that was meant. */
const unknown = (operation: OperationName, list: Readonly<Record<string, string>>) =>
  Object.entries(list).map(
    ([name, meant]): Wrong => ({
      operation,
      fields: { [name]: 'x' },
      says: `Did you mean \`${meant}\`?`,
    }),
  );

/** Names of fields as other services and languages have them. */
export const wrongNames: readonly Wrong[] = [
  ...unknown('cut', {
    videoUrl: 'video_url',
    video_ulr: 'video_url',
    'video-url': 'video_url',
    url: 'video_url',
    video: 'video_url',
    input: 'video_url',
    source: 'video_url',
    file: 'video_url',
    startTime: 'start',
    start_time: 'start',
    from: 'start',
    ss: 'start',
    endTime: 'end',
    to: 'end',
    length: 'duration',
    ranges: 'segments',
    clips: 'segments',
    fadeIn: 'fade_in',
    mute: 'audio',
    crf: 'quality',
    vcodec: 'codec',
    output_format: 'format',
    container: 'format',
    webhook: 'callback_url',
    webhook_url: 'callback_url',
    callbackUrl: 'callback_url',
    filename: 'output_name',
    outputName: 'output_name',
    dryRun: 'dry_run',
    tags: 'metadata',
  }),
  ...unknown('crop', {
    aspectRatio: 'aspect_ratio',
    ratio: 'aspect_ratio',
    outputWidth: 'output_width',
    background_color: 'background',
  }),
  ...unknown('transcode', {
    framerate: 'fps',
    frame_rate: 'fps',
    resolution: 'height',
    bitrate: 'quality',
    audioOnly: 'audio_only',
    acodec: 'audio_codec',
    loudness: 'normalize_lufs',
  }),
  ...unknown('silence_process', {
    threshold: 'threshold_db',
    minSilence: 'min_silence',
    silence_duration: 'min_silence',
    padding: 'padding_before',
  }),
  ...unknown('speed', {
    speed: 'rate',
    segments: 'ranges',
    rotation: 'rotate',
    backwards: 'reverse',
    mirror: 'flip',
  }),
  ...unknown('edit_by_text', {
    transcript: 'words',
    keep: 'keep_text',
    margin: 'padding',
  }),
  ...unknown('timeline', { document: 'otio', timeline: 'otio', sources: 'media', framerate: 'fps' }),
  ...unknown('merge_urls', {
    videos: 'urls',
    clips: 'urls',
    music: 'background_audio_url',
    xfade: 'transition',
  }),
  ...unknown('captions_auto', {
    lang: 'language',
    text: 'captions',
    subtitles: 'captions',
    srt: 'captions',
    theme: 'preset',
    font_size: 'style',
    burnIn: 'burn',
    maxWords: 'max_words',
  }),
  ...unknown('transcribe', {
    lang: 'language',
    audio: 'audio_url',
    url: 'video_url',
    text: 'script',
    model: 'engine',
    formats: 'outputs',
    keywords: 'vocabulary',
  }),
  ...unknown('redub', { voice: 'voice_url', music: 'bg_url', volume: 'normalize_lufs' }),
  ...unknown('redub_tts', { text: 'script', voice: 'voice_id', voiceId: 'voice_id', model: 'provider' }),
  ...unknown('redub_vc', { pitch: 'pitch_semitones', sample: 'voice_sample_url', voice: 'voice_id' }),
  ...unknown('separate', { audio: 'audio_url', url: 'video_url', tracks: 'stems', bitrate: 'bitrate_kbps' }),
  ...unknown('visualize', { color: 'colors', image: 'image_url', audio: 'audio_url' }),
  ...unknown('photo_animate', {
    image: 'photo_url',
    images: 'photo_urls',
    photos: 'photo_urls',
    effect: 'preset',
    music: 'audio_url',
    ratio: 'aspect_ratio',
  }),
  ...unknown('frame', { time: 'timestamps', at: 'timestamps', number: 'count', timestamp: 'timestamps' }),
  ...unknown('frame_last', { offset: 'epsilon', video: 'video_url' }),
  ...unknown('probe', { video_url: 'url', file: 'url' }),
];
