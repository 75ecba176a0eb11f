import type { Fault } from '../fault.ts';

const fonts = 'test/pure/letters/fonts.test.ts';
const hostile = 'test/security/captions.test.ts';
const logTexts = 'test/pure/log-text.test.ts';
const memory = 'test/pure/transcoder/memory.test.ts';
const strip = 'test/transcoder/picture-strip.test.ts';
const watchdog = 'test/transcoder/watchdog.test.ts';

/** Texts, pictures and logs: what they may take, and what may stand in them. */
export const texts: readonly Fault[] = [
  {
    guard: '`schema/media/caption-limits.ts` limits captions and scripts',
    file: 'schema/media/captions.ts',
    find: 'const problem = captionExcess(cues.map((cue) => cue.text));',
    plant: 'const problem = null;',
    test: { file: hostile, name: 'at a URL: $name' },
  },
  {
    guard: '`schema/media/caption-limits.ts` limits captions and scripts',
    file: 'schema/media/captions.ts',
    find: 'const problem = wordExcess([text]);',
    plant: 'const problem = null;',
    test: { file: hostile, name: 'at a URL: $name' },
  },
  {
    guard: 'has at most 32 MB, packed and unpacked',
    file: 'transcoder/source/font.ts',
    find: '{ ...options, limitBytes: MOST_BYTES }',
    plant: '{ ...options, limitBytes: 1e12 }',
    test: { file: 'test/security/fonts.test.ts', name: 'without an end is refused' },
  },
  {
    guard: 'has at most 32 MB, packed and unpacked',
    file: 'transcoder/letters/fonts/unpack-font.ts',
    find: 'if (stated > MOST_FONT_BYTES) throw tooLarge();',
    plant: '',
    test: { file: fonts, name: 'is refused if it says that it unpacks to more than the limit' },
  },
  {
    guard: 'A process of its own, confined like a decoder',
    file: 'transcoder/letters/fonts/brought-letters.ts',
    find: 'confinement: sandbox ? { sandbox, writes: [directory] } : null',
    plant: 'confinement: null',
    test: {
      file: 'test/media/captions/fonts.test.ts',
      name: 'is opened in a process that has no network and sees the directory of its task alone',
    },
    needs: 'bwrap',
  },
  {
    guard: 'checks counts and offsets of its tables',
    file: 'transcoder/letters/fonts/read-font.ts',
    find: 'if (maps === 0) throw',
    plant: 'if (maps < 0) throw',
    test: { file: fonts, name: 'is refused if it is %s' },
  },
  {
    guard: 'checks counts and offsets of its tables',
    file: 'transcoder/letters/fonts/read-font.ts',
    find: "if (at < before || at > end) throw damaged('a glyph lies outside its table');",
    plant: '',
    test: { file: fonts, name: 'is refused if it is %s' },
  },
  {
    guard: 'names no font or text that was not there before',
    file: 'transcoder/letters/fonts/brought-letters.ts',
    find: 'inside(run) && families.has(run.family)',
    plant: 'inside(run)',
    test: { file: fonts, name: 'is refused if it names %s' },
  },
  {
    guard: 'a watchdog outside the loop ends the process',
    file: 'transcoder/process/watchdog-thread.ts',
    find: 'unchanged = now === seen ? unchanged + 1 : 0;',
    plant: 'unchanged = 0;',
    test: { file: watchdog, name: 'is ended, and says why in one line' },
  },
  {
    guard: 'a watchdog outside the loop ends the process',
    file: 'transcoder/process/watchdog-thread.ts',
    find: 'unchanged = now === seen ? unchanged + 1 : 0;',
    plant: 'unchanged += 1;',
    test: { file: watchdog, name: 'lives where it stands for less than that each time' },
  },
  {
    guard: "at most a slot's part of the container's or machine's memory",
    file: 'transcoder/model/memory-share.ts',
    find: 'return Math.min(slotBytes, ',
    plant: 'return Math.max(slotBytes, ',
    test: {
      file: memory,
      name: 'is never more than that of its slot, and those of all slots fit the machine',
    },
  },
  {
    guard: 'the largest one is ended as `out_of_memory`',
    file: 'transcoder/ffmpeg/memory-watch.ts',
    find: 'if (group === ancestor || !isBelow(pid, ancestor, parents)) continue;',
    plant: '',
    test: {
      file: memory,
      name: 'the largest group below the transcoder is chosen, never the transcoder or anything else',
    },
  },
  {
    guard: 'Pictures are rewritten before they are decoded',
    file: 'transcoder/source/picture/strip.ts',
    find: '    await rename(stripped, path);\n',
    plant: '    await rm(stripped);\n',
    test: { file: strip, name: 'shows the same without its texts, which are gone' },
  },
  {
    guard: 'removes the parameters of SQL statements from errors',
    file: 'guard/log-text.ts',
    find: "const [statement = ''] = text.split(SQL_PARAMETERS, 1);",
    plant: 'const statement = text;',
    test: { file: logTexts, name: 'loses a secret in %s' },
  },
  {
    guard: 'everything but scheme and host from addresses',
    file: 'guard/log-text.ts',
    find: ".replace(QUERY, '?…')",
    plant: '',
    test: { file: logTexts, name: 'loses a secret in %s' },
  },
  {
    guard: 'Repositories never throw errors with parameters',
    file: 'worker/lib/without-parameters.ts',
    find: "'params' in error && ",
    plant: "'parameters' in error && ",
    test: { file: logTexts, name: 'leaves a repository without the parameters of its statement' },
  },
  {
    guard: 'keys, secrets, tokens and signatures by their shape and name',
    file: 'guard/log-text.ts',
    find: ".replace(NAMED, '$1$2…')",
    plant: '',
    test: { file: logTexts, name: 'loses a secret in %s' },
  },
  {
    guard: 'keys, secrets, tokens and signatures by their shape and name',
    file: 'guard/log-text.ts',
    find: 'for (const shape of SHAPES) shown',
    plant: 'for (const shape of SHAPES.slice(1)) shown',
    test: { file: logTexts, name: 'loses a secret in %s' },
  },
  {
    guard: 'planning that takes longer than 7 s is',
    file: 'transcoder/process/within-time.ts',
    find: "if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;",
    plant: 'throw error;',
    test: {
      file: 'test/pure/transcoder/within-time.test.ts',
      name: '%s without an end is interrupted, and other work goes on',
    },
  },
];
