import { addressIsLoopback, addressIsPublic, isAddress } from '../../../guard/address.ts';
import { parseDevOrigins } from '../../../guard/dev-origins.ts';
import { logText } from '../../../guard/log-text.ts';
import { speechApiFault } from '../../../guard/speech-api-fault.ts';
import { judgeUrl } from '../../../guard/url.ts';
import { nearestField } from '../../../schema/api/nearest-field.ts';
import { didYouMean, nearestName } from '../../../schema/api/nearest-name.ts';
import { captionFault, isAss } from '../../../schema/media/caption-faults.ts';
import { captionExcess, wordExcess } from '../../../schema/media/caption-limits.ts';
import { parseCaptions } from '../../../schema/media/captions.ts';
import { withoutReferences } from '../../../schema/media/character-references.ts';
import { markedText } from '../../../schema/media/cue-markup.ts';
import { isEmoji } from '../../../schema/media/emoji.ts';
import { spokenLanguage } from '../../../schema/media/spoken-language.ts';
import { isSayable, pronounced } from '../../../schema/media/spoken-text.ts';
import { withoutSpans } from '../../../schema/media/strip-delimited.ts';
import { linesOf, parseSubtitles } from '../../../schema/media/subtitles.ts';
import { assParts, parseAss } from '../../../schema/media/subtitles-ass.ts';
import { languageTagNear } from '../../../schema/media/voices.ts';
import { secondsFromText } from '../../../schema/operations/fields/fields.ts';
import { timeNear } from '../../../schema/operations/fields/time-near.ts';
import { operations } from '../../../schema/operations/index.ts';
import { fileName } from '../../../schema/otio/clip.ts';
import { readTimeline } from '../../../schema/otio/document.ts';
import { parseDocument } from '../../../schema/otio/text.ts';
import { timeOf } from '../../../schema/task/ids.ts';
import { ownSource, sourceAdvice } from '../../../schema/task/source-advice.ts';
import { namesStoredSource, storedSource } from '../../../schema/task/stored-source.ts';
import { posteriorsOf, wordsOfLine } from '../../../transcoder/engines/speech/pocketsphinx.ts';
import { aloudIn } from '../../../transcoder/engines/speech/read-aloud.ts';
import { scriptWords, spokenOf } from '../../../transcoder/engines/speech/script-words.ts';
import { lettersOf, spokenForms } from '../../../transcoder/engines/speech/term-words.ts';
import { parseChannelLevels } from '../../../transcoder/ffmpeg/channel-levels.ts';
import { sourceEndedEarly } from '../../../transcoder/ffmpeg/diagnose.ts';
import { parseLoudness } from '../../../transcoder/ffmpeg/loudness-meter.ts';
import { fontsListed } from '../../../transcoder/letters/installed-fonts.ts';
import { chaptersIn, isChapter } from '../../../transcoder/media/libav/child/probe/chapter-messages.ts';
import { ratio } from '../../../transcoder/media/probe/ffprobe-schema.ts';
import { lineOf } from '../../../transcoder/media/probe/line-of.ts';
import { goesOn, isAbbreviation } from '../../../transcoder/model/abbreviations.ts';
import { diskFailureIn } from '../../../transcoder/model/disk-failure.ts';
import { graphemes } from '../../../transcoder/model/graphemes.ts';
import { ticksIn } from '../../../transcoder/model/numbers/ticks.ts';
import { parseRetryAfter } from '../../../transcoder/model/retry-pause.ts';
import { bareSpan, isGlued, wordsOfText, wordsToCompare } from '../../../transcoder/model/segment-words.ts';
import { planners } from '../../../transcoder/operations/index.ts';
import { escaped } from '../../../transcoder/operations/plan/captions/ass-text.ts';
import { emojiWordsIn } from '../../../transcoder/operations/plan/captions/emoji-words.ts';
import { lengthOf } from '../../../transcoder/operations/plan/captions/line-breaking.ts';
import { readCaptions } from '../../../transcoder/operations/plan/captions/parse-input.ts';
import { captionsOf, readScript, sentencesOf } from '../../../transcoder/operations/redub/script.ts';
import { linesOf as titleLines } from '../../../transcoder/operations/visualize/title-wrapping.ts';
import { parseContentRange, parseUnsatisfied } from '../../../transcoder/source/content-range.ts';
import { textOf } from '../../../transcoder/source/read-text.ts';
import { asciiName } from '../../../transcoder/source/s3.ts';
import { checkQuery } from '../../../worker/http/middleware/query.ts';
import { nearestPath } from '../../../worker/http/nearest-path.ts';
import { looksLikeKey } from '../../../worker/lib/api-key.ts';
import { parseRange } from '../../../worker/lib/byte-range.ts';
import { ownerOf } from '../../../worker/lib/stray-object.ts';
import { presentedStripeSignature } from '../../../worker/lib/stripe-signature.ts';
import { fromBase64url } from '../../../worker/lib/text/base64url.ts';
import { placeOfCursor } from '../../../worker/lib/text/cursor.ts';
import { safeFileName } from '../../../worker/lib/text/file-name.ts';
import { halvedCharacter, jsonMistake, repeatedName } from '../../../worker/lib/text/json-mistake.ts';
import { outputName } from '../../../worker/lib/text/output-name.ts';
import { parseJson } from '../../../worker/lib/text/parse-json.ts';
import { redactUrl } from '../../../worker/lib/text/redact.ts';
import { kindOfJson, quotedKind, shownText } from '../../../worker/lib/text/shown-value.ts';
import { didYouMeanTool } from '../../../worker/mcp/tools/did-you-mean-tool.ts';
import { browserName } from '../../../worker/pages/browser-name.ts';
import { cookieToken } from '../../../worker/pages/cookie.ts';
import { ownPath } from '../../../worker/pages/own-path.ts';
import { emailAddress } from '../../../worker/services/sign-in/email-address.ts';
import { letters } from '../letters/letters.ts';
import { means, source } from '../operations/sources.ts';

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
    const style = { speaker: Math.floor(index / 20) % 2 === 0 ? 'Ann' : 'Bob', italic: index % 3 === 0 };
    return text.trim() === '' ? [] : [{ start, end: start + 0.001, text: text.trim(), ...style }];
  });
  if (listed.length === 0) return null;
  const input = operations.captions_auto.received.parse({
    ...{ video_url: 'https://media.example.com/a.mp4', preset: 'word_pop', outputs: ['srt', 'vtt', 'ass'] },
    // An entrance draws the dozens of outlines of each emoji several times, which takes long for a few already.
    entrance: /\p{Emoji_Presentation}/u.test(words) ? 'none' : 'pop',
    ...{ keywords: [{ text: 'a hello there', color: '#ff0000' }] },
    replacements: [{ from: 'a', to: 'b c' }],
    ...{ emoji: { 'a hello there': '🔥' }, speaker_colors: ['#ff0000'] },
  });
  const read = { as: 'captions' as const, captions: readCaptions(JSON.stringify(listed), 'captions') };
  const brought = { texts: [], timeMaps: [], read };
  return planners.captions_auto.plan({
    ...{ ...means, brought, probes: [probe], facts: { letters } },
    input: { ...input, captions: 'of the caller' },
  });
}

const inter = { font: 'Inter', bold: true, spacing: 0, language: null } as const;

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
    name: 'schema/media/captions.ts#parseCaptions',
    run: parseCaptions,
    heads: ['', cue, event, '[{"start":1,"text":"'],
  },
  { name: 'schema/media/caption-faults.ts#isAss', run: isAss, heads: ['', 'Dialogue: ', 'Dialogue:,,,,'] },
  {
    name: 'schema/media/caption-faults.ts#captionFault',
    run: captionFault,
    heads: ['', cue, 'WEBVTT\n\n00:', 'Dialogue: ', '0:00:00.0'],
  },
  {
    name: 'schema/media/subtitles.ts#parseSubtitles',
    run: parseSubtitles,
    heads: ['', cue, 'WEBVTT\n\n00:'],
  },
  { name: 'schema/media/emoji.ts#isEmoji', run: isEmoji, heads: ['', '👨‍', '🔥', '❤️'] },
  {
    name: 'schema/media/cue-markup.ts#markedText',
    run: markedText,
    heads: ['', '<v ', '<c.red>', '<font color=', '<1:', '< <'],
  },
  {
    name: 'schema/media/character-references.ts#withoutReferences',
    run: withoutReferences,
    heads: ['', '&', '&#', '&#x', '&#1'],
  },
  {
    name: 'schema/media/subtitles-ass.ts#parseAss',
    run: parseAss,
    heads: [event, `${event}{`, '[Events]\nFormat:', '[Events]\n[', '[Events]\nFormat: Text,,,\nDialogue:'],
  },
  {
    name: 'schema/media/subtitles-ass.ts#assParts',
    run: assParts,
    heads: ['', '{', '\\{', '{\\p1', '{\\p1}\\{'],
  },
  { name: 'schema/media/subtitles.ts#linesOf', run: linesOf },
  { name: 'transcoder/model/segment-words.ts#wordsToCompare', run: wordsToCompare },
  {
    name: 'schema/media/strip-delimited.ts#withoutSpans',
    run: (text: string) =>
      withoutSpans(text, [
        ['<', '>'],
        ['{\\', '}'],
        ['(', '))'],
      ]),
  },
  { name: 'transcoder/engines/speech/read-aloud.ts#aloudIn', run: await aloudIn('en-US') },
  { name: 'schema/media/spoken-text.ts#pronounced', run: (text: string) => pronounced(text, spelled) },
  { name: 'schema/media/spoken-text.ts#isSayable', run: (text: string) => isSayable(text, spelled) },
  { name: 'schema/media/caption-limits.ts#wordExcess', run: (text: string) => wordExcess([text]) },
  {
    name: 'schema/media/caption-limits.ts#captionExcess',
    run: (text: string) => captionExcess(text.split('\n')),
  },
  {
    name: 'schema/operations/fields/fields.ts#secondsFromText',
    run: secondsFromText,
    heads: ['', '1:00:', '1.'],
  },
  { name: 'schema/media/spoken-language.ts#spokenLanguage', run: spokenLanguage, heads: ['', 'en-', 'zh-'] },
  {
    name: 'schema/operations/fields/time-near.ts#timeNear',
    run: timeNear,
    heads: ['', '1h', '1h2m', '12.', '1 '],
  },
  {
    name: 'schema/task/source-advice.ts#sourceAdvice',
    run: sourceAdvice,
    heads: ['', ' ', 'task:', 'media.example.', './', 'C:'],
  },
  {
    name: 'schema/task/source-advice.ts#ownSource',
    run: (text: string) => ownSource(text, 'https://spool.example.com'),
    heads: ['', 'https://spool.example.com/task/', '/'],
  },
  {
    name: 'schema/task/stored-source.ts#storedSource',
    run: storedSource,
    heads: ['', 'task:', 'task:task_', 'upload:upl_'],
  },
  { name: 'schema/task/stored-source.ts#namesStoredSource', run: namesStoredSource, heads: ['', 'task'] },
  { name: 'transcoder/model/disk-failure.ts#diskFailureIn', run: diskFailureIn },
  { name: 'transcoder/model/numbers/ticks.ts#ticksIn', run: ticksIn },
  {
    name: 'schema/api/nearest-field.ts#nearestField',
    run: (text: string) => nearestField(text, ['video_url', 'segments']),
    heads: ['', 'a_', 'aB'],
  },
  {
    name: 'schema/api/nearest-name.ts#nearestName',
    run: (text: string) => nearestName(text, ['video_url', 'segments']),
  },
  {
    name: 'schema/api/nearest-name.ts#didYouMean',
    run: (text: string) => didYouMean(text, ['video_url', 'segments']),
  },
  { name: 'schema/media/voices.ts#languageTagNear', run: languageTagNear },
  {
    name: 'transcoder/operations/plan/captions/emoji-words.ts#emojiWordsIn',
    run: emojiWordsIn,
    heads: ['', 'de-'],
  },
  { name: 'worker/lib/text/shown-value.ts#kindOfJson', run: kindOfJson, heads: ['', '{"a": [', '['] },
  { name: 'worker/lib/text/shown-value.ts#quotedKind', run: quotedKind, heads: ['', '1', '1.', '['] },
  { name: 'worker/lib/text/shown-value.ts#shownText', run: shownText, heads: ['', 'https://', 'a: '] },
  { name: 'schema/otio/clip.ts#fileName', run: fileName, heads: ['', 'file:///a/', 'C:\\\\a%'] },
  {
    name: 'schema/otio/document.ts#readTimeline',
    run: (text: string) => readTimeline(text),
    heads: ['', '[', '{"OTIO_SCHEMA":"', '{"OTIO_SCHEMA":"Timeline.1","tracks":['],
  },
  { name: 'schema/otio/text.ts#parseDocument', run: parseDocument, heads: ['', '{"a": NaN, "'] },
  { name: 'schema/task/ids.ts#timeOf', run: timeOf, heads: ['', 'task_'] },
  { name: 'guard/log-text.ts#logText', run: logText, heads: ['', 'a: https://'] },
  { name: 'transcoder/model/retry-pause.ts#parseRetryAfter', run: (text: string) => parseRetryAfter(text) },
  { name: 'guard/address.ts#isAddress', run: isAddress },
  { name: 'guard/address.ts#addressIsPublic', run: addressIsPublic },
  { name: 'guard/address.ts#addressIsLoopback', run: addressIsLoopback },
  { name: 'guard/dev-origins.ts#parseDevOrigins', run: parseDevOrigins, heads: ['', 'http://localhost:1,'] },
  {
    name: 'guard/speech-api-fault.ts#speechApiFault',
    run: (text: string) => speechApiFault(text, text, text),
  },
  {
    name: 'guard/url.ts#judgeUrl',
    run: (text: string) => judgeUrl(text, { devOrigins: new Set(), ownHosts: new Set() }),
    heads: ['', 'https://', 'https://a.', 'https://example.com/', 'https://example.com?'],
  },
  { name: 'worker/pages/browser-name.ts#browserName', run: browserName, heads: ['', 'Mozilla/5.0 '] },
  {
    name: 'worker/pages/cookie.ts#cookieToken',
    run: (text: string) => cookieToken('https://spool.example.com', text),
    heads: ['', '__Host-spool='],
  },
  {
    name: 'worker/pages/own-path.ts#ownPath',
    run: (text: string) => ownPath(text, 'https://spool.example.com'),
    heads: ['', '/app/'],
  },
  { name: 'worker/services/sign-in/email-address.ts#emailAddress', run: emailAddress, heads: ['', 'a@'] },
  { name: 'worker/lib/api-key.ts#looksLikeKey', run: looksLikeKey, heads: ['', 'spool_live_'] },
  {
    name: 'worker/lib/byte-range.ts#parseRange',
    run: (text: string) => parseRange(text, 1000),
    heads: ['', 'bytes=', 'bytes=1-'],
  },
  { name: 'worker/lib/text/cursor.ts#placeOfCursor', run: placeOfCursor },
  { name: 'worker/lib/text/file-name.ts#safeFileName', run: safeFileName },
  { name: 'worker/lib/text/output-name.ts#outputName', run: outputName },
  {
    name: 'worker/lib/text/json-mistake.ts#jsonMistake',
    run: jsonMistake,
    heads: ['', '{"a":', '["', '{"a":-'],
  },
  { name: 'worker/lib/text/json-mistake.ts#halvedCharacter', run: halvedCharacter, heads: ['', '["\\ud83d'] },
  {
    name: 'worker/lib/text/json-mistake.ts#repeatedName',
    run: repeatedName,
    heads: ['', '{"a":', '["', '{"'],
  },
  {
    name: 'worker/http/middleware/query.ts#checkQuery',
    run: (text: string) => checkQuery(['limit'], `https://spool.example.com/tasks?${text}`, 'GET'),
    heads: ['', 'a=', 'limit=1&'],
  },
  {
    name: 'worker/mcp/tools/did-you-mean-tool.ts#didYouMeanTool',
    run: (text: string) => didYouMeanTool(text, ['cut_video']),
  },
  {
    name: 'worker/http/nearest-path.ts#nearestPath',
    run: (text: string) => nearestPath(text, () => false, new Map([['/cut', '/cut']])),
    heads: ['', '/', '/v1/'],
  },
  { name: 'worker/lib/text/parse-json.ts#parseJson', run: parseJson, heads: ['', '{"a":', '['] },
  { name: 'worker/lib/text/redact.ts#redactUrl', run: redactUrl, heads: ['', 'https://a/'] },
  { name: 'worker/lib/stray-object.ts#ownerOf', run: ownerOf, heads: ['', 't/', 't/task_/1'] },
  {
    name: 'transcoder/model/segment-words.ts#wordsOfText',
    run: wordsOfText,
    heads: ['', 'ไ', '漢'],
    characters: 16_000,
  },
  { name: 'transcoder/model/segment-words.ts#bareSpan', run: (text: string) => bareSpan(text, '%') },
  { name: 'transcoder/model/segment-words.ts#isGlued', run: (text: string) => isGlued(text, text) },
  {
    name: 'transcoder/source/read-text.ts#textOf',
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
  { name: 'transcoder/source/s3.ts#asciiName', run: asciiName },
  { name: 'transcoder/ffmpeg/diagnose.ts#sourceEndedEarly', run: sourceEndedEarly },
  {
    name: 'transcoder/ffmpeg/loudness-meter.ts#parseLoudness',
    run: parseLoudness,
    heads: ['', '] Summary: I: '],
  },
  { name: 'transcoder/ffmpeg/channel-levels.ts#parseChannelLevels', run: parseChannelLevels },
  { name: 'transcoder/media/probe/ffprobe-schema.ts#ratio', run: (text: string) => ratio(text, '/') },
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
    name: 'transcoder/operations/plan/captions/parse-input.ts#readCaptions',
    run: (text: string) => readCaptions(text, 'captions'),
    heads: ['', cue],
  },
  {
    name: 'transcoder/operations/redub/script.ts#readScript',
    run: (text: string) => readScript(text, spelled),
    heads: ['', cue],
  },
  {
    name: 'worker/lib/stripe-signature.ts#presentedStripeSignature',
    run: (text: string) => presentedStripeSignature(text, 1_800_000_000_000),
    heads: ['', 't=1800000000,'],
  },
  { name: 'transcoder/model/abbreviations.ts#isAbbreviation', run: isAbbreviation },
  { name: 'transcoder/model/abbreviations.ts#goesOn', run: (text: string) => goesOn(text, text) },
  { name: 'transcoder/operations/redub/script.ts#sentencesOf', run: sentencesOf, characters: 8000 },
  {
    name: 'transcoder/operations/redub/script.ts#captionsOf',
    run: (text: string) => captionsOf({ start: 0, end: 9, text }),
  },
  { name: 'transcoder/operations/plan/captions/ass-text.ts#escaped', run: escaped },
  { name: 'transcoder/operations/plan/captions/line-breaking.ts#lengthOf', run: lengthOf },
  { name: 'transcoder/model/graphemes.ts#graphemes', run: graphemes },
  {
    name: 'transcoder/letters/installed-fonts.ts#fontsListed',
    run: fontsListed,
    heads: ['', 'A\t80\t0\t100\t'],
  },
  {
    name: 'transcoder/media/libav/child/probe/chapter-messages.ts#isChapter',
    run: (text: string) => [isChapter(text), chaptersIn(text.split('\n'))],
    heads: ['', '    Chapter #0:0: ', '        title           : '],
  },
  { name: 'transcoder/media/probe/line-of.ts#lineOf', run: lineOf },
  {
    name: 'transcoder/letters/set-line.ts#setLine',
    run: (text: string) => letters.lineOf(text, inter),
    characters: 4000,
  },
  {
    name: 'transcoder/operations/visualize/title-wrapping.ts#linesOf',
    run: (text: string) => titleLines(text, 40, 900, (line) => letters.lineOf(line, inter).width),
    characters: 4000,
  },
  { name: 'worker/lib/text/base64url.ts#fromBase64url', run: fromBase64url },
  { name: 'transcoder/operations/captions/captions-auto.ts#plan', run: captioned, characters: 4000 },
].map((parser) => ({ ...parser, run: answered(parser.run as Parser['run']) }));
