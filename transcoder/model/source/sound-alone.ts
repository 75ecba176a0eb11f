/** Why sound is refused where a picture is required. */
export const SOUND_ALONE = 'The source has audio but no video.';
