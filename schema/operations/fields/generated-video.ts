import { z } from 'zod';
import { containers, crf, videoBitrate, videoCodecs } from './fields.ts';

/** Encoding fields for video that has no video source. */
export const drawnVideoFields = {
  quality: z
    .union(
      [
        z.enum(['low', 'medium', 'high']),
        z.strictObject({ crf: crf() }),
        z.strictObject({ video_bitrate_kbps: videoBitrate() }),
      ],
      { error: 'must be `low`, `medium`, `high`, {"crf": 0–63} or {"video_bitrate_kbps": 50–200000}' },
    )
    .default('high')
    .meta({
      description:
        'Quality of the video. `{crf}` is a constant quality on the scale of the codec, 0–51 for h264 and hevc, 0–63 for vp9 and av1; lower is better and larger.',
    }),
  codec: z
    .enum(['auto', ...videoCodecs])
    .default('auto')
    .meta({
      description: 'Video codec of the output. `auto` uses h264, or vp9 in webm.',
    }),
  format: z.enum(containers).default('mp4').meta({ description: 'Container format of the output.' }),
};
