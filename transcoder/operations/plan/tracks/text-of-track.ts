import { type Cue, srtText, vttEscaped } from '../../../../schema/media/subtitles.ts';
import type { TextCodec } from '../../../model/steps.ts';

/** Cues as SubRip, of which ffmpeg makes a track. It writes their texts into WebVTT as they are. */
export const textOfTrack = (cues: readonly Cue[], codec: TextCodec): string =>
  srtText(codec === 'webvtt' ? cues.map((cue) => ({ ...cue, text: vttEscaped(cue.text) })) : cues);
