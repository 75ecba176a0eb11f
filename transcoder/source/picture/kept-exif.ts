/** Whether Exif stays, which has the orientation, or nothing but colours. */
export type KeptExif = 'with Exif' | 'without Exif';
