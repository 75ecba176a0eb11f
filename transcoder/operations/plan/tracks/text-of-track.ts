import { type Cue, srtText, vttEscaped } from '../../../../schema/media/subtitles.ts';
import { least } from '../../../model/numbers/min-max.ts';
import type { TextCodec } from '../../../model/steps.ts';

/** Texts that are shown at the same time in a track that has one at a time. Of more, as a drawn sign has, the latest. */
const MOST_TOGETHER = 8;

/** Cues in time order as SubRip, of which ffmpeg makes a track. It writes their texts into WebVTT as they are. */
export function textOfTrack(cues: readonly Cue[], codec: TextCodec): string {
  if (codec === 'webvtt') return srtText(cues.map((cue) => ({ ...cue, text: vttEscaped(cue.text) })));
  return srtText(codec === 'mov_text' ? oneAfterAnother(cues) : cues);
}

/**
 * A sample of a text track in mp4 ends where the next one begins (ISO/IEC 14496-17), so what is shown at the same time is one text:
 * from each begin or end to the next one, the lines of all of them.
 */
function oneAfterAnother(cues: readonly Cue[]): Cue[] {
  const made: Cue[] = [];
  let shown: readonly Cue[] = [];
  let from = 0;
  const writeUntil = (time: number) => {
    while (shown.length > 0 && from < time) {
      const end = Math.min(time, least(shown.map((cue) => cue.end)));
      const text = [...new Set(shown.map((cue) => cue.text))].join('\n');
      const last = made.at(-1);
      if (last?.text === text && last.end === from) last.end = end;
      else made.push({ start: from, end, text });
      shown = shown.filter((cue) => cue.end > end);
      from = end;
    }
    from = time;
  };
  for (const cue of cues.map(inMilliseconds)) {
    writeUntil(cue.start);
    if (cue.end > cue.start) shown = [...shown, cue].slice(-MOST_TOGETHER);
  }
  writeUntil(Number.POSITIVE_INFINITY);
  return made;
}

/** As SubRip writes times. */
const inMilliseconds = ({ start, end, text }: Cue): Cue => ({
  ...{ start: Math.round(start * 1000) / 1000, end: Math.round(end * 1000) / 1000 },
  text,
});
