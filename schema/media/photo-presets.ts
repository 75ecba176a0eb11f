/** How a photo moves, in the order in which it is listed. */
export const photoPresets = {
  ken_burns: 'Slowly towards the focus and a little past it; every other photo away from it',
  zoom_in: 'Straight towards the focus',
  zoom_out: 'Away from the focus',
  pan_left: 'The view moves to the left',
  pan_right: 'The view moves to the right',
  pan_up: 'The view moves up',
  pan_down: 'The view moves down',
  push_diagonal: 'From one corner towards the opposite one, and closer',
  drift: 'Wandering slowly, as if held by hand',
  pulse: 'Closer and away again, every two and a half seconds',
  parallax: 'The foreground moves before the background; needs a depth model',
} as const satisfies Record<string, string>;

export type PhotoPreset = keyof typeof photoPresets;

export const photoPresetNames = Object.keys(photoPresets) as [PhotoPreset, ...PhotoPreset[]];
