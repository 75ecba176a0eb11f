/**
 * EXIF orientation, the transformation that displays a picture upright: 1 none, 3 rotate by 180°, 6 rotate by 90° clockwise,
 * 8 rotate by 90° counter-clockwise; 2, 4, 5 and 7 are their mirrored versions.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
