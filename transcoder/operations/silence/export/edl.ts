import type { Edit, EditEvent } from './edit.ts';
import { firstHour, type Rate, timecode } from './timecode.ts';

const TITLE_LENGTH = 70;

/**
 * CMX 3600: one event per span, with record times from one hour on. A motion memory (M2) states the speed of an event.
 * Reel `AX` is a source without a tape, `BL` is black and silence.
 */
export function edlText(edit: Edit): string {
  const { name, rate, events, first } = edit;
  const hour = firstHour(rate);
  const lines = events.flatMap((event, index) => {
    const number = `${index + 1}`.padStart(3, '0');
    const length = event.until - event.at;
    const silence = event.muted && !edit.picture;
    const [from, to] = silence ? [0, length] : [first + event.from, first + event.to];
    const times = [from, to, hour + event.at, hour + event.until].map((frame) => timecode(frame, rate));
    const reel = silence ? 'BL' : 'AX';
    const speed = (to - from) / length;
    const perSecond = ((speed * rate.frames) / rate.seconds).toFixed(1).padStart(5, '0');
    return [
      `${number}  ${reel}       ${channelsOf(edit, event).padEnd(5)} C        ${times.join(' ')}`,
      ...(speed === 1 ? [] : [`M2   AX       ${perSecond}                ${motionStart(from, rate)}`]),
      ...(silence ? [] : [`* FROM CLIP NAME: ${name}`]),
    ];
  });
  const mode = rate.drop ? 'DROP FRAME' : 'NON-DROP FRAME';
  const title = name.slice(0, TITLE_LENGTH);
  return `${[`TITLE: ${title}`, `FCM: ${mode}`, '', ...lines].join('\n')}\n`;
}

/** With colons only, as in CMX 3600: FCM states the counting mode, and readers of M2 reject semicolons. */
const motionStart = (frame: number, rate: Rate) => timecode(frame, rate).replace(';', ':');

function channelsOf({ picture, sound }: Edit, { muted }: EditEvent): string {
  if (!picture) return sound.channels > 1 ? 'AA' : 'A';
  if (muted) return 'V';
  return sound.channels > 1 ? 'AA/V' : 'B';
}
