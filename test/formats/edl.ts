import { demand, type ReadEvent } from './event.ts';

/**
 * CMX 3600: a title of up to 70 characters, the frame code mode, then events. An event has a number, a reel, channels, a
 * transition and four timecodes: source in and out, record in and out; outs are excluded. M2 after it states a speed in
 * frames a second, and only then may source and record last differently. Comments begin with an asterisk.
 */
export interface Edl {
  title: string;
  drop: boolean;
  events: ReadEvent[];
  clips: string[];
}

const code = String.raw`\d\d:[0-5]\d:[0-5]\d[:;]\d\d`;
const eventLine = new RegExp(
  String.raw`^(\d{3,})  ([A-Z0-9]{1,8}) +(V|B|A|AA|AA/V|NONE) +C +(${code}) (${code}) (${code}) (${code})$`,
);
const motionLine = /^M2 {3}([A-Z0-9]{1,8}) +(-?\d{3,}\.\d) +(\d\d:\d\d:\d\d:\d\d)$/;
const channels = {
  V: 'picture',
  B: 'both',
  'AA/V': 'both',
  A: 'sound',
  AA: 'sound',
  NONE: 'nothing',
} as const;

export function readEdl(text: string, perSecond: number): Edl {
  const lines = text.split('\n');
  demand(lines.pop() === '', 'the last line has no end');
  demand(
    lines.every((line) => /^[\x20-\x7e]*$/.test(line)),
    'a line holds more than ASCII',
  );
  const title = /^TITLE: (.{1,70})$/.exec(lines.shift() ?? '')?.[1];
  const mode = /^FCM: (NON-DROP FRAME|DROP FRAME)$/.exec(lines.shift() ?? '')?.[1];
  demand(title && mode, 'it begins with TITLE and FCM');
  const drop = mode === 'DROP FRAME';
  const nominal = Math.round(perSecond);
  const frame = (text: string) => frameOf(text, nominal, drop);
  const edl: Edl = { title, drop, events: [], clips: [] };
  let open: { event: ReadEvent; reel: string; moves: boolean } | undefined;
  const close = () => {
    if (!open) return;
    const { event, moves } = open;
    const same = event.to - event.from === event.until - event.at;
    demand(same !== moves, `event ${edl.events.length}: only a motion may last differently`);
  };
  for (const line of lines.filter((each) => each !== '')) {
    const [, number, reel = '', channel, from = '', to = '', at = '', until = ''] =
      eventLine.exec(line) ?? [];
    const [, ofReel, speed, start] = motionLine.exec(line) ?? [];
    if (number) {
      close();
      demand(Number(number) === edl.events.length + 1, `event ${number} is out of order`);
      const shows = reel === 'BL' ? 'nothing' : channels[channel as keyof typeof channels];
      const event = { from: frame(from), to: frame(to), at: frame(at), until: frame(until), shows };
      demand(event.to > event.from && event.until > event.at, `event ${number} does not last`);
      const before = edl.events.at(-1);
      demand(!before || before.until === event.at, `event ${number} does not follow on`);
      edl.events.push(event);
      open = { event, reel, moves: false };
    } else if (speed) {
      demand(open && ofReel === open.reel && !open.moves, 'M2 belongs to the event before it');
      open.moves = true;
      const { event } = open;
      demand(frameOf(start ?? '', nominal, drop) === event.from, 'M2 begins where its event does');
      const times = (event.to - event.from) / (event.until - event.at);
      demand(Math.abs(Number(speed) - times * perSecond) < 0.06, 'M2 states the speed of its event');
    } else {
      const name = /^\* FROM CLIP NAME: (.+)$/.exec(line)?.[1];
      demand(name, `what is ${line}`);
      edl.clips.push(name);
    }
  }
  close();
  return edl;
}

/** The frame with this timecode; drop-frame has no numbers 0 and 1 (of 30) in minutes that ten does not divide. */
export function frameOf(text: string, nominal: number, drop: boolean): number {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = text.split(/[:;]/).map(Number);
  demand(frames < nominal, `${text} has more frames than a second`);
  const left = drop ? nominal / 15 : 0;
  demand(left === 0 || minutes % 10 === 0 || seconds > 0 || frames >= left, `${text} is dropped`);
  const total = hours * 60 + minutes;
  return (total * 60 + seconds) * nominal + frames - left * (total - Math.floor(total / 10));
}
