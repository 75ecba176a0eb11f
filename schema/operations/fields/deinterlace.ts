import { z } from 'zod';

const modes = ['auto', 'never', 'always'] as const;
export type Deinterlace = (typeof modes)[number];

/** What becomes of interlaced video. */
export const deinterlace = () =>
  z.enum(modes).default('auto').meta({
    description:
      'How interlaced video is treated. `auto`: if parts of the video are copied, the result stays interlaced, except for transitions, parts at another speed and converted clips; otherwise it is deinterlaced, at the same frame rate. `never`: re-encoded parts stay interlaced, too. This needs h264; scaling and cropping keep the fields apart, at multiples of 4 lines. Where that is impossible, as after a rotation or a change of speed, re-encoded parts are deinterlaced with the warning `source_interlaced`. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.',
  });
