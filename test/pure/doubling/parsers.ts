import { addressIsLoopback, addressIsPublic, isAddress } from '../../../guard/address.ts';
import { parseDevOrigins } from '../../../guard/dev-origins.ts';
import { logText } from '../../../guard/log-text.ts';
import { judgeUrl } from '../../../guard/url.ts';
import { captionFault } from '../../../schema/caption-faults.ts';
import { captionExcess, wordExcess } from '../../../schema/caption-limits.ts';
import { parseCaptions } from '../../../schema/captions.ts';
import { secondsFromText } from '../../../schema/fields.ts';
import { timeOf } from '../../../schema/ids.ts';
import { operations } from '../../../schema/operations/index.ts';
import { withoutSpans } from '../../../schema/spans.ts';
import { spokenLanguage } from '../../../schema/spoken-language.ts';
import { isSayable, pronounced } from '../../../schema/spoken-text.ts';
import { linesOf, parseSubtitles } from '../../../schema/subtitles.ts';
import { parseAss } from '../../../schema/subtitles-ass.ts';
import { taskOfSource } from '../../../schema/task-source.ts';
import { posteriorsOf, wordsOfLine } from '../../../transcoder/engines/speech/pocketsphinx.ts';
import { scriptWords, spokenOf } from '../../../transcoder/engines/speech/script-words.ts';
import { lettersOf, spokenForms } from '../../../transcoder/engines/speech/term-words.ts';
import { sourceEndedEarly } from '../../../transcoder/ffmpeg/diagnose.ts';
import { parseLoudness } from '../../../transcoder/media/loudness.ts';
import { ratio } from '../../../transcoder/media/printed.ts';
import { diskFailureIn } from '../../../transcoder/model/disk-failure.ts';
import { escaped } from '../../../transcoder/operations/captions-events.ts';
import { readCaptions } from '../../../transcoder/operations/captions-given.ts';
import { lengthOf } from '../../../transcoder/operations/captions-lines.ts';
import { familyOf, isRightToLeft } from '../../../transcoder/operations/captions-script.ts';
import { isMeasured, widthOf } from '../../../transcoder/operations/captions-widths.ts';
import { captionsOf, readScript, sentencesOf } from '../../../transcoder/operations/dub-script.ts';
import { planners } from '../../../transcoder/operations/index.ts';
import { linesOf as titleLines } from '../../../transcoder/operations/title-lines.ts';
import { parseRetryAfter } from '../../../transcoder/retry-pause.ts';
import { parseContentRange, parseUnsatisfied } from '../../../transcoder/source/content-range.ts';
import { textOf } from '../../../transcoder/source/text.ts';
import { asciiName } from '../../../transcoder/storage.ts';
import { bareSpan, wordsOfText } from '../../../transcoder/text-words.ts';
import { looksLikeKey } from '../../../worker/lib/api-key.ts';
import { parseRange } from '../../../worker/lib/byte-range.ts';
import { placeOfCursor } from '../../../worker/lib/cursor.ts';
import { safeFileName } from '../../../worker/lib/file-name.ts';
import { outputName } from '../../../worker/lib/output-name.ts';
import { redactUrl } from '../../../worker/lib/redact.ts';
import { ownerOf } from '../../../worker/lib/stray-object.ts';
import { means, source } from '../sources.ts';

interface Parser {
  /** File and function. */
  name: string;
  run: (text: string) => unknown;
  /** What has to stand before a text so that it is looked at at all. */
  heads?: string[];
  /** Characters of the texts that it is tried with, where it has more to do than to parse. */
  characters?: number;
}

const cue = '1\n00:00:01,000 --> 00:00:02,000\n';
const event = '[Script Info]\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,';
const spelled = { 'a<a': 'b', '((((': 'c', a: 'ay', 'aaaaaaaaaaaaaaaaaaaa!': 'd', '.': 'dot' };
const probe = { ...source, duration: 30 };

/** Everything that is made of captions, up to the text that is drawn; whatever the limits of a text are, for they come before. */
export function captioned(words: string): unknown {
  const listed = words.split(/(?<=\s)/).flatMap((text, index) => {
    const start = (index % 30_000) / 1000;
    return text.trim() === '' ? [] : [{ start, end: start + 0.001, text: text.trim() }];
  });
  if (listed.length === 0) return null;
  const input = operations.captions_auto.received.parse({
    ...{ video_url: 'https://media.example.com/a.mp4', preset: 'word_pop', outputs: ['srt', 'vtt', 'ass'] },
    replacements: [{ from: 'a', to: 'b c' }],
  });
  const read = { as: 'captions' as const, captions: readCaptions(JSON.stringify(listed), 'captions') };
  const brought = { texts: [], timeMaps: [], read };
  return planners.captions_auto.plan({
    ...{ ...means, brought, probes: [probe], facts: {} },
    input: { ...input, captions: 'of the caller' },
  });
}

/** What a parser throws is an answer too. */
const answered = (run: (text: string) => unknown) => (text: string) => {
  try {
    return run(text);
  } catch (error) {
    return error;
  }
};

/** Everything that reads a text of somebody else: of a caller, an origin, a file's metadata or what a program prints of them. */
export const parsers: Parser[] = [
  {
    name: 'schema/captions.ts#parseCaptions',
    run: parseCaptions,
    heads: ['', cue, event, '[{"start":1,"text":"'],
  },
  {
    name: 'schema/caption-faults.ts#captionFault',
    run: captionFault,
    heads: ['', cue, 'WEBVTT\n\n00:', 'Dialogue: '],
  },
  { name: 'schema/subtitles.ts#parseSubtitles', run: parseSubtitles, heads: ['', cue, 'WEBVTT\n\n00:'] },
  {
    name: 'schema/subtitles-ass.ts#parseAss',
    run: parseAss,
    heads: [event, `${event}{`, '[Events]\nFormat:', '[Events]\n[', '[Events]\nFormat: Text,,,\nDialogue:'],
  },
  { name: 'schema/subtitles.ts#linesOf', run: linesOf },
  {
    name: 'schema/spans.ts#withoutSpans',
    run: (text: string) =>
      withoutSpans(text, [
        ['<', '>'],
        ['{\\', '}'],
        ['(', '))'],
      ]),
  },
  { name: 'schema/spoken-text.ts#pronounced', run: (text: string) => pronounced(text, spelled) },
  { name: 'schema/spoken-text.ts#isSayable', run: (text: string) => isSayable(text, spelled) },
  { name: 'schema/caption-limits.ts#wordExcess', run: (text: string) => wordExcess([text]) },
  { name: 'schema/caption-limits.ts#captionExcess', run: (text: string) => captionExcess(text.split('\n')) },
  { name: 'schema/fields.ts#secondsFromText', run: secondsFromText, heads: ['', '1:00:', '1.'] },
  { name: 'schema/spoken-language.ts#spokenLanguage', run: spokenLanguage, heads: ['', 'en-', 'zh-'] },
  { name: 'schema/task-source.ts#taskOfSource', run: taskOfSource, heads: ['', 'task:', 'task:task_'] },
  { name: 'transcoder/model/disk-failure.ts#diskFailureIn', run: diskFailureIn },
  { name: 'schema/ids.ts#timeOf', run: timeOf, heads: ['', 'task_'] },
  { name: 'guard/log-text.ts#logText', run: logText, heads: ['', 'a: https://'] },
  { name: 'transcoder/retry-pause.ts#parseRetryAfter', run: (text: string) => parseRetryAfter(text) },
  { name: 'guard/address.ts#isAddress', run: isAddress },
  { name: 'guard/address.ts#addressIsPublic', run: addressIsPublic },
  { name: 'guard/address.ts#addressIsLoopback', run: addressIsLoopback },
  { name: 'guard/dev-origins.ts#parseDevOrigins', run: parseDevOrigins, heads: ['', 'http://localhost:1,'] },
  {
    name: 'guard/url.ts#judgeUrl',
    run: (text: string) => judgeUrl(text, { devOrigins: new Set(), ownHosts: new Set() }),
    heads: ['', 'https://', 'https://a.', 'https://example.com/', 'https://example.com?'],
  },
  { name: 'worker/lib/api-key.ts#looksLikeKey', run: looksLikeKey, heads: ['', 'spool_live_'] },
  {
    name: 'worker/lib/byte-range.ts#parseRange',
    run: (text: string) => parseRange(text, 1000),
    heads: ['', 'bytes=', 'bytes=1-'],
  },
  { name: 'worker/lib/cursor.ts#placeOfCursor', run: placeOfCursor },
  { name: 'worker/lib/file-name.ts#safeFileName', run: safeFileName },
  { name: 'worker/lib/output-name.ts#outputName', run: outputName },
  { name: 'worker/lib/redact.ts#redactUrl', run: redactUrl, heads: ['', 'https://a/'] },
  { name: 'worker/lib/stray-object.ts#ownerOf', run: ownerOf, heads: ['', 't/', 't/task_/1'] },
  {
    name: 'transcoder/text-words.ts#wordsOfText',
    run: wordsOfText,
    heads: ['', 'ไ', '漢'],
    characters: 16_000,
  },
  { name: 'transcoder/text-words.ts#bareSpan', run: (text: string) => bareSpan(text, '%') },
  {
    name: 'transcoder/source/text.ts#textOf',
    run: (text: string) => textOf(new TextEncoder().encode(text.replaceAll('\0', ' '))),
  },
  {
    name: 'transcoder/source/content-range.ts#parseContentRange',
    run: parseContentRange,
    heads: ['', 'bytes ', 'bytes 1-2/'],
  },
  {
    name: 'transcoder/source/content-range.ts#parseUnsatisfied',
    run: parseUnsatisfied,
    heads: ['', 'bytes */'],
  },
  { name: 'transcoder/storage.ts#asciiName', run: asciiName },
  { name: 'transcoder/ffmpeg/diagnose.ts#sourceEndedEarly', run: sourceEndedEarly },
  { name: 'transcoder/media/loudness.ts#parseLoudness', run: parseLoudness, heads: ['', '] Summary: I: '] },
  { name: 'transcoder/media/printed.ts#ratio', run: (text: string) => ratio(text, '/') },
  { name: 'transcoder/engines/speech/pocketsphinx.ts#posteriorsOf', run: posteriorsOf },
  {
    name: 'transcoder/engines/speech/pocketsphinx.ts#wordsOfLine',
    run: (text: string) => wordsOfLine(text, [{ from: 0, to: 9 }], new Map()),
    heads: ['', '0 S 0 T -68 A -61 L -67 0 -2 '],
  },
  {
    name: 'transcoder/engines/speech/script-words.ts#scriptWords',
    run: scriptWords,
    characters: 8000,
    heads: ['', '$'],
  },
  {
    name: 'transcoder/engines/speech/script-words.ts#spokenOf',
    run: spokenOf,
    characters: 8000,
    heads: ['', '$1', '1:'],
  },
  { name: 'transcoder/engines/speech/term-words.ts#lettersOf', run: lettersOf },
  { name: 'transcoder/engines/speech/term-words.ts#spokenForms', run: spokenForms, characters: 4000 },
  {
    name: 'transcoder/operations/captions-given.ts#readCaptions',
    run: (text: string) => readCaptions(text, 'captions'),
    heads: ['', cue],
  },
  {
    name: 'transcoder/operations/dub-script.ts#readScript',
    run: (text: string) => readScript(text, spelled),
    heads: ['', cue],
  },
  { name: 'transcoder/operations/dub-script.ts#sentencesOf', run: sentencesOf, characters: 8000 },
  {
    name: 'transcoder/operations/dub-script.ts#captionsOf',
    run: (text: string) => captionsOf({ start: 0, end: 9, text }),
  },
  { name: 'transcoder/operations/captions-events.ts#escaped', run: escaped },
  { name: 'transcoder/operations/captions-lines.ts#lengthOf', run: lengthOf },
  {
    name: 'transcoder/operations/captions-script.ts#familyOf',
    run: (text: string) => familyOf(text, 'Inter', null),
  },
  { name: 'transcoder/operations/captions-script.ts#isRightToLeft', run: isRightToLeft },
  { name: 'transcoder/operations/captions-widths.ts#widthOf', run: (text: string) => widthOf(text, 'Inter') },
  { name: 'transcoder/operations/captions-widths.ts#isMeasured', run: isMeasured },
  { name: 'transcoder/operations/title-lines.ts#linesOf', run: (text: string) => titleLines(text, 40, 900) },
  { name: 'transcoder/operations/captions-auto.ts#plan', run: captioned, characters: 4000 },
].map((parser) => ({ ...parser, run: answered(parser.run as Parser['run']) }));

/** Exported functions that take a string, and why they are no parsers. */
export const exemptFunctions: { of: RegExp; why: string }[] = [
  {
    of: /^worker\/(services|fleet|repos|objects|mcp|docs|queue)\/|^worker\/(openapi|declare)\.ts/,
    why: 'they hand ids, names and our own texts on; what they match is among the expressions',
  },
  {
    of: /^worker\/lib\/(record-time|log|post-event|resolve-host|api-key|stray-object)\.ts#(recordTime|log|postEvent|resolveHost|hashKey|isStray)$/,
    why: 'effects',
  },
  {
    of: /^worker\/middleware\/query\.ts#parseQuery$/,
    why: 'zod over values; its expression is among the expressions',
  },
  { of: /^schema\/(seal|signature|provider-keys)\.ts/, why: 'cryptography over whole texts' },
  {
    of: /^schema\/(fields|webhook-url|operation)\.ts#(sourceUrl|evenSide|webhookUrl|operation)$/,
    why: 'they make schemas, with descriptions of ours',
  },
  { of: /^schema\/(examples|voice-presets|voices)\.ts/, why: 'look-ups of a name' },
  { of: /^transcoder\/(deliver|workspace)\.ts/, why: 'paths and keys of ours' },
  {
    of: /^transcoder\/engines\/(?!speech\/(term|script)-words)/,
    why: 'paths and programs of ours, and words one by one',
  },
  {
    of: /^transcoder\/ffmpeg\/(?!progress)/,
    why: 'arguments of ours, and the end of what a program prints, 8 KB at most',
  },
  { of: /^transcoder\/media\//, why: 'paths and names of ours; what they match is among the expressions' },
  { of: /^transcoder\/task\//, why: 'they call the readers of the table' },
  { of: /^transcoder\/model\/rational-time\.ts/, why: 'time bases as libav prints them' },
  {
    of: /^transcoder\/operations\/(?!captions|dub|title)|#(assText|assColor|tagColor|enlargementOf|shape|rawInput|captionsText)$/,
    why: 'labels, file names and colours of ours',
  },
  {
    of: /^transcoder\/source\/(get|origin|resolve|sniff|garbage|picture\/\w+)\.ts|^worker\/lib\/share-page\.ts|^guard\/url\.ts#addressIsAllowed$/,
    why: 'one URL or path; what they match is among the expressions',
  },
];
