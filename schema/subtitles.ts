/** A text with the seconds at which it is to be heard or read. */
export interface Cue {
  start: number;
  end: number;
  text: string;
}

const time = String.raw`(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})`;
const timing = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s.*)?$`);

const secondsOf = ([hours = '0', minutes = '0', seconds = '0', fraction = '0']: (string | undefined)[]) =>
  Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);

/**
 * The cues of SubRip (https://en.wikipedia.org/wiki/SubRip) or WebVTT (https://www.w3.org/TR/webvtt1/), in order of time; tags
 * are left out.
 * @returns null where the text is neither.
 */
export function parseSubtitles(source: string): Cue[] | null {
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  if (!lines.some((line) => timing.test(line))) return null;
  const cues: Cue[] = [];
  for (const [index, line] of lines.entries()) {
    const found = timing.exec(line);
    if (!found) continue;
    const rest = lines.slice(index + 1);
    const blank = rest.findIndex((each) => each.trim() === '');
    const text = plain(rest.slice(0, blank === -1 ? rest.length : blank).join(' '));
    const [start, end] = [secondsOf(found.slice(1, 5)), secondsOf(found.slice(5, 9))];
    if (text !== '' && end > start) cues.push({ start, end, text });
  }
  return cues.sort((a, b) => a.start - b.start);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

function plain(text: string): string {
  return text
    .replace(/<[^>]*>|\{\\[^}]*\}/g, '')
    .replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

const digits = (value: number, length: number) => String(value).padStart(length, '0');

function timeText(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1000);
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const rest = `${digits(Math.floor(ms / 1000) % 60, 2)}${point}${digits(ms % 1000, 3)}`;
  return `${digits(hours, 2)}:${digits(minutes, 2)}:${rest}`;
}

/** A line that begins like a timing or holds an arrow would end a cue; and WebVTT reads tags and entities. */
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function srtText(cues: readonly Cue[]): string {
  return cues
    .map(({ start, end, text }, index) => {
      const body = text.replaceAll('-->', '→');
      return `${index + 1}\n${timeText(start, ',')} --> ${timeText(end, ',')}\n${body}\n`;
    })
    .join('\n');
}

export function vttText(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ start, end, text }) => `${timeText(start, '.')} --> ${timeText(end, '.')}\n${escaped(text)}\n`,
  );
  return ['WEBVTT\n', ...blocks].join('\n');
}
