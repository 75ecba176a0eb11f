import { z } from 'zod';

const modes = ['auto', 'never', 'always'] as const;
export type Deinterlace = (typeof modes)[number];

/** What becomes of interlaced video. */
export const deinterlace = () =>
  z.enum(modes).default('auto').meta({
    description:
      'Interlaced video. `auto`: copied parts and the frames re-encoded next to them stay interlaced; what is re-encoded otherwise is deinterlaced, at the same frame rate. `never`: the output stays interlaced; it has to be h264, and if its frames are turned, mirrored, moved to other times or drawn from several pictures, they are deinterlaced with a warning. `always`: everything is re-encoded, and every frame is deinterlaced, even if the source is not marked as interlaced.',
  });
