/** Whether Exif stays, which has the orientation, or nothing but colors. */
export type KeptExif = 'with Exif' | 'without Exif';
