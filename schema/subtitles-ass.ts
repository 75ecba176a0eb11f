import type { Cue } from './subtitles.ts';

const time = /^(\d+):(\d{2}):(\d{2})[.:](\d{1,3})$/;

function secondsOf(text: string): number | null {
  const [, hours, minutes, seconds, fraction] = time.exec(text.trim()) ?? [];
  if (hours === undefined) return null;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/**
 * The cues of Advanced SubStation Alpha, and of SubStation Alpha before it, in order of time. Override tags and drawings are
 * left out. http://www.tcax.org/docs/ass-specs.htm
 * @returns null where the text has no section of events.
 */
export function parseAss(source: string): Cue[] | null {
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const events = lines.findIndex((line) => /^\[events\]\s*$/i.test(line.trim()));
  if (events === -1) return null;
  let columns = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',');
  const cues: Cue[] = [];
  for (const line of lines.slice(events + 1)) {
    if (/^\[.*\]\s*$/.test(line.trim())) break;
    const [, kind = '', rest = ''] = /^\s*(format|dialogue)\s*:(.*)$/i.exec(line) ?? [];
    if (kind.toLowerCase() === 'format') columns = rest.split(',').map((name) => name.trim().toLowerCase());
    if (kind.toLowerCase() !== 'dialogue') continue;
    const values = fieldsOf(rest, columns.length);
    const value = (name: string) => values[columns.indexOf(name)] ?? '';
    const [start, end, text] = [secondsOf(value('start')), secondsOf(value('end')), plain(value('text'))];
    if (start !== null && end !== null && end > start && text !== '') cues.push({ start, end, text });
  }
  return cues.sort((a, b) => a.start - b.start);
}

/** The last of so many fields keeps its commas. */
function fieldsOf(rest: string, count: number): string[] {
  const parts = rest.split(',');
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')];
}

function plain(text: string): string {
  const drawing = /\{[^}]*\\p[1-9][^}]*\}[^{]*/g;
  return text
    .replace(drawing, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\\[Nnh]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
