/** Photo movements, in display order. */
export const photoPresets = {
  ken_burns: 'Slow zoom and pan towards the focus; every second photo moves away from it',
  zoom_in: 'Zooms in on the focus',
  zoom_out: 'Zooms out from the focus',
  pan_left: 'Pans left',
  pan_right: 'Pans right',
  pan_up: 'Pans up',
  pan_down: 'Pans down',
  push_diagonal: 'Moves from one corner to the opposite one while zooming in',
  drift: 'Drifts slowly, like a hand-held camera',
  pulse: 'Zooms in and out every 2.5 seconds',
  parallax: 'Moves the foreground in front of the background; needs a depth engine',
} as const satisfies Record<string, string>;

export type PhotoPreset = keyof typeof photoPresets;

export const photoPresetNames = Object.keys(photoPresets) as [PhotoPreset, ...PhotoPreset[]];
