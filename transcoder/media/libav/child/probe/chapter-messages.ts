/** A chapter in ffprobe's structure. */
export type PrintedChapter = {
  start_time: string;
  /** As printed; negative if unknown. */
  end_time: string;
  tags: { title?: string };
};

/** The beginning of a chapter's description. */
export const isChapter = (message: string): boolean => /^ {4}Chapter #\d+:\d+: $/.test(message);

const START = /^start (-?\d+\.\d+), $/;
const END = /^end (-?\d+\.\d+)$/;
const TITLE = /^ {8}title {11}: $/i;
/** Precedes each further line of a text. */
const NEXT_LINE = /^\n {24}: $/;

/**
 * The chapters in messages of libav's log, as `av_dump_format` writes them: each of its calls is a message, without the line break at its
 * end.
 */
export function chaptersIn(messages: readonly string[]): PrintedChapter[] {
  const chapters: PrintedChapter[] = [];
  for (const [at, message] of messages.entries()) {
    if (isChapter(message)) {
      const start = START.exec(messages[at + 1] ?? '')?.[1];
      const end = END.exec(messages[at + 2] ?? '')?.[1];
      if (start !== undefined && end !== undefined)
        chapters.push({ start_time: start, end_time: end, tags: {} });
    } else if (TITLE.test(message)) {
      const last = chapters.at(-1);
      if (last && last.tags.title === undefined) last.tags.title = titleAfter(messages, at);
    }
  }
  return chapters;
}

function titleAfter(messages: readonly string[], at: number): string {
  const lines: string[] = [];
  let next = at + 1;
  do {
    lines.push(messages[next] ?? '');
    next += 1;
  } while (NEXT_LINE.test(messages[next++] ?? ''));
  return lines.join(' ');
}
