import type { Edit, EditEvent } from './silence-export.ts';
import { firstHour, timecode } from './timecode.ts';

/** CMX 3600: one event a span, the record from one hour on; a motion memory (M2) states the speed of its event. */
export function edlText(edit: Edit): string {
  const { name, rate, events } = edit;
  const hour = firstHour(rate);
  const lines = events.flatMap((event, index) => {
    const number = `${index + 1}`.padStart(3, '0');
    const times = [event.from, event.to, hour + event.at, hour + event.until].map((frame) =>
      timecode(frame, rate),
    );
    const speed = (event.to - event.from) / (event.until - event.at);
    const perSecond = ((speed * rate.frames) / rate.seconds).toFixed(1).padStart(5, '0');
    return [
      `${number}  AX       ${channelsOf(edit, event).padEnd(5)} C        ${times.join(' ')}`,
      ...(speed === 1 ? [] : [`M2   AX       ${perSecond}                ${timecode(event.from, rate)}`]),
      `* FROM CLIP NAME: ${name}`,
    ];
  });
  const mode = rate.drop ? 'DROP FRAME' : 'NON-DROP FRAME';
  return `${[`TITLE: ${name}`, `FCM: ${mode}`, '', ...lines].join('\n')}\n`;
}

function channelsOf({ picture, sound }: Edit, { muted }: EditEvent): string {
  if (!picture) return sound.channels > 1 ? 'AA' : 'A';
  if (muted) return 'V';
  return sound.channels > 1 ? 'AA/V' : 'B';
}
