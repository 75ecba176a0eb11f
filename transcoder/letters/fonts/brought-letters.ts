import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChildProcess, endModule, forkModule } from '../../ffmpeg/fork.ts';
import type { Sandbox } from '../../ffmpeg/sandbox.ts';
import {
  BROUGHT_FONT,
  BROUGHT_FONT_FILE,
  type BroughtLetters,
  FONTS,
  type Letters,
  type SetLine,
  type StyledPart,
  type Typeface,
} from '../../model/letters.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { InstalledFonts } from '../installed-fonts.ts';
import { EMOJI } from '../set-line.ts';
import { type Answer, answer, type Order } from './protocol.ts';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** A font opens in some 0.3 s, and a text is set in some 0.1 ms; a busy machine takes many times as long. */
const PATIENCE_MS = 60_000;
/** Texts of one message. */
const BATCH = 500;
/** Each time a plan is made, more of its texts have their true width; three or four times are usual. */
const MOST_ROUNDS = 30;
/** Stands in for the font until a text has been set with it. */
const SIMILAR = 'Inter';

interface Opening {
  /** Letters of the installed fonts. */
  letters: Letters;
  fonts: InstalledFonts;
  /** The directory of the job, with the font. */
  directory: string;
  sandbox: Sandbox | undefined;
  signal: AbortSignal | undefined;
}

/** Why a font cannot be used, as its task ends. */
export const refusedFont = (why: string, cause?: Error) =>
  new TaskFailure('font_invalid', `style.font_url: ${why}`, { cause });

/**
 * Opens the font of a caller in a confined process, which also writes the font that is drawn into the directory of the job. Throws
 * `font_invalid`.
 */
export async function openBroughtFont(opening: Opening): Promise<BroughtLetters> {
  const { letters, fonts, directory, sandbox, signal } = opening;
  await mkdir(join(directory, FONTS), { recursive: true });
  const child = new FontProcess(directory, sandbox, signal);
  try {
    const said = await child.ask({
      open: join(directory, BROUGHT_FONT_FILE),
      to: join(directory, FONTS, BROUGHT_FONT_FILE),
      family: BROUGHT_FONT,
      fonts: [...fonts].map(([family, files]) => [family, [...files]]),
    });
    if (!('opened' in said)) throw unexpected(said);
    return lettersOf(child, said.opened, letters, fonts);
  } catch (error) {
    child.close();
    throw error;
  }
}

type WantedText = [text: string, type: Typeface, parts: readonly StyledPart[]];

function lettersOf(
  child: FontProcess,
  { em, capitals, variable }: { em: number; capitals: number; variable: boolean },
  installed: Letters,
  fonts: InstalledFonts,
): BroughtLetters {
  const known = new Map<string, SetLine>();
  const wanted = new Map<string, WantedText>();
  let rounds = 0;
  const families = new Set<string>([...fonts.keys(), BROUGHT_FONT]);
  return {
    variable,
    lineOf: (text, type, parts = []) => {
      if (type.font !== BROUGHT_FONT) return installed.lineOf(text, type, parts);
      const key = JSON.stringify([text, type.bold, type.spacing, type.language, parts]);
      const line = known.get(key);
      if (line) return line;
      wanted.set(key, [text, type, parts]);
      return installed.lineOf(text, { ...type, font: SIMILAR }, parts);
    },
    emoji: (cluster) => installed.emoji(cluster),
    emojiSize: (type) => (type.font === BROUGHT_FONT ? EMOJI * em : installed.emojiSize(type)),
    capitals: (type) => (type.font === BROUGHT_FONT ? capitals : installed.capitals(type)),
    settle: async () => {
      if (wanted.size === 0) return false;
      rounds += 1;
      if (rounds > MOST_ROUNDS) throw new Error(`captions were planned ${rounds} times without an end`);
      const all = [...wanted];
      wanted.clear();
      for (let from = 0; from < all.length; from += BATCH) {
        const batch = all.slice(from, from + BATCH);
        const lines = await child.set(batch.map(([, text]) => text));
        for (const [index, [key, [text]]] of batch.entries())
          known.set(key, checkedLine(lines[index], text, families));
      }
      return true;
    },
    close: () => child.close(),
  };
}

/** A line as it is planned with: its offsets lie in its text, and only fonts that exist draw it. */
export function checkedLine(line: SetLine | undefined, text: string, families: ReadonlySet<string>): SetLine {
  const inside = ({ from, to }: { from: number; to: number }) => from < to && to <= text.length;
  const sound =
    line?.clusters.every(inside) &&
    line.runs.every((run) => inside(run) && families.has(run.family)) &&
    line.missing.every((one) => text.includes(one));
  if (!line || !sound) throw refusedFont('The font cannot be measured. Use another font.');
  return line;
}

const unexpected = (said: Answer) =>
  'refused' in said && said.refused === 'unusable'
    ? refusedFont(said.why)
    : refusedFont('The font cannot be opened. Export it again as TTF or OTF, or use another font.');

/** The process that has the font open. Whatever ends it is blamed on the font. */
class FontProcess {
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal | undefined;
  readonly #stop = () => this.close();
  #waiting: { resolve: (said: Answer) => void; reject: (error: unknown) => void } | null = null;
  #ended = false;

  constructor(directory: string, sandbox: Sandbox | undefined, signal: AbortSignal | undefined) {
    signal?.throwIfAborted();
    this.#child = forkModule(MAIN, {
      confinement: sandbox ? { sandbox, writes: [directory] } : null,
    });
    this.#signal = signal;
    this.#child.stderr?.on('error', () => {}).resume();
    this.#child.on('message', (message) => {
      const said = answer.safeParse(message);
      this.#waiting?.resolve(said.success ? said.data : { refused: 'failed', why: '' });
    });
    this.#child.on('error', (error) => this.#end(error));
    this.#child.once('exit', (code, how) => this.#end(new Error(`ended with ${how ?? code}`)));
    signal?.addEventListener('abort', this.#stop, { once: true });
  }

  async set(texts: readonly WantedText[]): Promise<SetLine[]> {
    const said = await this.ask({
      set: texts.map(([text, { bold, spacing, language }, parts]) => [
        text,
        bold,
        spacing,
        language,
        [...parts],
      ]),
    });
    if (!('lines' in said)) throw unexpected(said);
    return said.lines;
  }

  async ask(order: Order): Promise<Answer> {
    if (this.#ended) throw this.#reason();
    const asked = Promise.withResolvers<Answer>();
    this.#waiting = asked;
    const timer = setTimeout(() => {
      asked.reject(refusedFont('The font takes too long to read. Use a simpler font.'));
      this.close();
    }, PATIENCE_MS);
    this.#child.send(order, () => {});
    try {
      return await asked.promise;
    } finally {
      clearTimeout(timer);
      this.#waiting = null;
    }
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#stop);
    endModule(this.#child);
  }

  #end(cause: Error): void {
    this.#ended = true;
    this.#waiting?.reject(this.#reason(cause));
  }

  #reason(cause?: Error): unknown {
    if (this.#signal?.aborted) return this.#signal.reason;
    return refusedFont(
      'The font ends the program that opens it. Export it again, or use another font.',
      cause,
    );
  }
}
