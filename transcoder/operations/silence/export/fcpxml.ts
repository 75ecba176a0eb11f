import { type Fraction, nearestFraction } from '../../../model/numbers/nearest-fraction.ts';
import type { Edit, EditEvent } from './edit.ts';

/** Largest part of a rate, such as 120000/1001. */
const MOST_RATE = 1_000_000;

/** FCPXML 1.10. A span at another speed gets a time map, a muted span only video. */
export function fcpxmlText(edit: Edit): string {
  const { name, rate, frames, first, picture, sound, events } = edit;
  const perSecond = nearestFraction(edit.perSecond, MOST_RATE);
  const time = (count: number) => rational(count, perSecond);
  const format = rate.drop ? 'DF' : 'NDF';
  const title = escaped(name);
  const size = picture ? ` width="${picture.width}" height="${picture.height}"` : '';
  const shown = picture ? ' hasVideo="1" videoSources="1" format="r1"' : '';
  const total = events.at(-1)?.until ?? 0;
  const layout = sound.channels === 1 ? 'mono' : sound.channels === 2 ? 'stereo' : 'surround';
  const clip = (event: EditEvent) => {
    const length = event.until - event.at;
    const plain = event.to - event.from === length;
    const open = [
      `            <asset-clip ref="r2" name="${title}" offset="${time(event.at)}"`,
      `start="${plain ? time(first + event.from) : '0s'}" duration="${time(length)}" tcFormat="${format}"`,
      ...(event.muted && picture ? ['srcEnable="video"'] : []),
    ].join(' ');
    if (plain) return [`${open}/>`];
    return [
      `${open}>`,
      '              <timeMap>',
      `                <timept time="0s" value="${time(first + event.from)}" interp="linear"/>`,
      `                <timept time="${time(length)}" value="${time(first + event.to)}" interp="linear"/>`,
      '              </timeMap>',
      '            </asset-clip>',
    ];
  };
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE fcpxml>',
    '<fcpxml version="1.10">',
    '  <resources>',
    `    <format id="r1" frameDuration="${time(1)}"${size}/>`,
    `    <asset id="r2" name="${title}" start="${time(first)}" duration="${time(frames)}"${shown} hasAudio="1" audioSources="1" audioChannels="${sound.channels}" audioRate="${sound.sampleRate}">`,
    `      <media-rep kind="original-media" src="./${escaped(encodeURIComponent(name))}"/>`,
    '    </asset>',
    '  </resources>',
    '  <library>',
    '    <event name="Spool">',
    `      <project name="${title}">`,
    `        <sequence format="r1" duration="${time(total)}" tcStart="0s" tcFormat="${format}" audioLayout="${layout}" audioRate="48k">`,
    '          <spine>',
    ...events.flatMap((event) => (event.muted && !picture ? gap(event, time) : clip(event))),
    '          </spine>',
    '        </sequence>',
    '      </project>',
    '    </event>',
    '  </library>',
    '</fcpxml>',
  ];
  return `${lines.join('\n')}\n`;
}

function gap({ at, until }: EditEvent, time: (frames: number) => string): string[] {
  return [`            <gap name="Gap" offset="${time(at)}" start="0s" duration="${time(until - at)}"/>`];
}

/** Seconds as a fraction, as in `1001/30000s`. */
function rational(count: number, { num, den }: Fraction): string {
  const [over, under] = [count * den, num];
  return over % under === 0 ? `${over / under}s` : `${over}/${under}s`;
}

function escaped(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
