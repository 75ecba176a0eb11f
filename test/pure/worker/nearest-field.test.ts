import { expect, test } from 'vitest';
import { nearestField } from '../../../schema/api/nearest-field.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';

const meant = (name: OperationName, given: string) =>
  nearestField(given, Object.keys(operations[name].input.shape));

test.each([
  ['cut', 'video_codec', 'codec'],
  ['transcode', 'video_codec', 'codec'],
  ['transcode', 'audio_bitrate', 'audio_bitrate_kbps'],
  ['cut', 'keep_audio', 'audio'],
  ['cut', 'audio_format', 'format'],
  ['cut', 'fade', 'fade_in'],
  ['cut', 'fade_out_duration', 'fade_out'],
  ['crop', 'video_path', 'video_url'],
  ['crop', 'background_color', 'background'],
  ['photo_animate', 'image_url', 'photo_url'],
  ['photo_animate', 'image_urls', 'photo_urls'],
  ['merge_urls', 'bg_volume', 'background_volume_db'],
] as const)('of /%s, `%s` probably means `%s`', (name, given, expected) => {
  expect(meant(name, given)).toBe(expected);
});

test.each([
  ['cut', 'audio_volume'],
  ['cut', 'audio_bitrate'],
  ['cut', 'cover'],
  ['cut', 'mono'],
  ['captions_auto', 'max_width'],
  ['photo_animate', 'stem'],
  ['probe', 'output_width'],
] as const)('of /%s, no field is like `%s`', (name, given) => {
  expect(meant(name, given)).toBeNull();
});
