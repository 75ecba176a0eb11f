/**
 * How a picture is to be turned and mirrored before it is shown, as EXIF counts it: 1 not at all, 3 by 180°, 6 by 90°
 * clockwise, 8 by 90° counter-clockwise; 2, 4, 5 and 7 are these mirrored.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
