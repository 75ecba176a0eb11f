import type { OperationName } from '../operations/index.ts';

/** What people, models and other services call an operation. */
const otherNames = {
  cut: 'trim trim_video trim_audio clip clip_video cut_audio split subclip extract_clip shorten',
  crop: 'reframe reframe_video crop_to_vertical make_vertical pad aspect_ratio',
  transcode:
    'convert convert_video convert_audio convert_format resize resize_video compress compress_video encode reencode scale extract_audio change_format',
  remux:
    'metadata set_metadata strip_metadata remove_metadata tag tags rewrap chapters add_chapters change_container',
  silence_process:
    'silence cut_silence trim_silence detect_silence remove_silences remove_pauses silence_remove jump_cut jump_cuts',
  edit_by_text: 'text_edit edit_transcript remove_fillers remove_filler_words remove_words bleep',
  speed:
    'speed_up slow_down slow_motion timelapse reverse reverse_video rotate rotate_video flip flip_video speed_video',
  merge_urls:
    'merge merge_video merge_clips concat concatenate concat_videos join join_videos combine combine_videos stitch append',
  timeline: 'otio render render_otio edl',
  redub: 'dub add_audio add_audio_to_video add_music mix_audio overlay_audio replace_sound mux',
  redub_tts: 'tts speak narrate text_to_speech voiceover add_voiceover generate_speech',
  redub_vc: 'vc voice_conversion convert_voice voice_change voice_changer clone_voice',
  captions_auto:
    'caption captions subtitle subtitles add_captions add_subtitles burn_captions burn_subtitles auto_captions generate_captions subtitle_video',
  transcribe: 'transcript transcription stt asr speech_to_text transcribe_audio transcribe_video whisper',
  separate: 'stems split_stems stem_separation separate_audio vocals isolate_vocals remove_vocals karaoke',
  visualize: 'visualise visualizer waveform audiogram spectrum audio_visualizer audio_to_video',
  photo_animate:
    'photo animate animate_photo animate_image ken_burns slideshow image_to_video images_to_video photo_to_video photos_to_video',
  frame_last: 'last_frame get_last_frame',
  frame:
    'frames get_frame extract_frame thumbnail thumbnails generate_thumbnail screenshot screenshots snapshot poster contact_sheet',
  probe:
    'info ffprobe mediainfo media_info get_info get_metadata inspect inspect_video analyze analyse probe_video',
} satisfies Record<OperationName, string>;

/** Each other name of an operation. */
export const otherOperationNames: ReadonlyMap<string, OperationName> = new Map(
  Object.entries(otherNames).flatMap(([operation, names]) =>
    names.split(' ').map((name) => [name, operation as OperationName] as const),
  ),
);
