import { expect, test } from 'vitest';
import { Packets } from '../../../transcoder/model/source/packets.ts';
import { planOf } from './plan-lines.ts';
import { like } from './sources.ts';

/** Slides that are shown for long, on no grid of a frame rate. */
const slides = [0, 0.713, 1.501, 2.309, 3.117, 4.291, 5.403, 6.611, 7.717, 8.809];
const probe = like({ pace: 'variable', frames: null });
const packets = Packets.of(slides.map((pts) => ({ pts, dts: pts, duration: 1, key: true })));

test.each([0, 0.713, 3.5, 5.403])(
  'a fade over long frames is at 60 fps wherever a cut begins: %s s',
  (start) => {
    const { plan } = planOf('cut', { start, end: 9.5, fade_in: 1 }, probe, { packets });
    const { warnings } = plan;
    expect(warnings).toMatchObject([{ code: 'source_vfr', detail: expect.stringContaining(' 60 fps') }]);
  },
);
