import type { Fault } from '../fault.ts';

const plans = 'test/pure/operations/plans-tracks.test.ts';
const chapters = 'test/pure/operations/chapters.test.ts';
const proof = { file: 'test/media/results/verify.test.ts', name: 'a result that %s is refused' };
const kept = 'every sound track, text track and chapter of a video with its language and at its new time';
const named = 'unless a warning names it';
const planned = 'Its tracks and chapters must be those that were planned';
const bounded = 'A title is one line of at most 200 characters, and a file has at most 1000 chapters';
const keeping = 'transcoder/operations/plan/tracks/keep-tracks.ts';
const mapping = 'transcoder/operations/plan/tracks/chapters.ts';
const proving = 'transcoder/media/verify/verify.ts';

/** What becomes of the tracks and chapters of a source. */
export const tracks: readonly Fault[] = [
  {
    guard: kept,
    file: keeping,
    find: 'for (const chosen of expected?.audio && audio_track === undefined ? choicesOf(probes) : [])',
    plant: 'for (const chosen of [] as SourceProbes[])',
    test: { file: plans, name: 'has every sound' },
  },
  {
    guard: kept,
    file: keeping,
    find: 'sinceOrigin(bySource[source]?.[index]?.cues ?? [], origin)',
    plant: 'sinceOrigin(bySource[source]?.[index]?.cues ?? [], origin + 1)',
    test: { file: plans, name: 'has the text where its words are said' },
  },
  {
    guard: kept,
    file: 'transcoder/operations/plan/tracks/track-label.ts',
    find: 'language: stream?.language ? languageCode(stream.language) : null',
    plant: 'language: null',
    test: { file: plans, name: 'has the languages of all tracks' },
  },
  {
    guard: kept,
    file: keeping,
    find: 'fitting(format, mappedChapters(probes.map(chaptersIn), plan.time_map))',
    plant: 'fitting(format, [])',
    test: { file: plans, name: 'has the chapters, and expects them' },
  },
  {
    guard: kept,
    file: mapping,
    find: 'begin + ((time - from) * (stop - begin)) / (to - from)',
    plant: 'begin + 1 + ((time - from) * (stop - begin)) / (to - from)',
    test: { file: chapters, name: 'as %s moves them' },
  },
  {
    guard: named,
    file: keeping,
    find: '[dropped, crowded].filter((warning) => warning !== null).reduce(withWarning, labeled)',
    plant: 'labeled',
    test: { file: plans, name: 'names %s' },
  },
  {
    guard: planned,
    file: proving,
    find: 'if (found.length !== wanted.length)',
    plant: 'if (false)',
    test: proof,
  },
  {
    guard: planned,
    file: proving,
    find: 'if (off > CHAPTER_ROUNDING)',
    plant: 'if (false)',
    test: proof,
  },
  {
    guard: planned,
    file: proving,
    find: "if ((lineOf(made?.tags.title ?? '') ?? '') !== title)",
    plant: 'if (false)',
    test: proof,
  },
  {
    guard: bounded,
    file: 'transcoder/media/probe/chapters.ts',
    find: '.slice(0, MOST_CHAPTERS + 1)',
    plant: '',
    test: { file: chapters, name: 'are not more than one over the limit' },
  },
  {
    guard: bounded,
    file: 'transcoder/media/probe/line-of.ts',
    find: '.slice(0, LONGEST)',
    plant: '',
    test: { file: chapters, name: 'are not longer than a line' },
  },
  {
    guard: 'No text of a caller becomes an option, an address or a filter of ffmpeg',
    file: 'transcoder/operations/plan/tags-file.ts',
    find: '.replace(/[=;#\\\\\\n]/g, (one) => `\\\\${one}`)',
    plant: '',
    test: { file: chapters, name: 'stay in their line of ffmetadata: %j' },
  },
];
