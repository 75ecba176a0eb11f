import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { Analysis, ExpectedMedia, Facts, Plan, TextCue, TextTrack } from '../../../model/plan.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import type { TrackLabel, TrackLabels } from '../../../model/steps.ts';
import type { SplicedSound } from '../audio-file.ts';
import { alike, described } from '../changed-plan.ts';
import type { Span } from '../frames.ts';
import { chaptersIn, fitting, mappedChapters } from './chapters.ts';
import { droppedOf, othersOf, textsOf } from './dropped-tracks.ts';
import { mappedCues } from './mapped-cues.ts';
import { renamedSteps } from './renamed-steps.ts';
import { textOfTrack } from './text-of-track.ts';
import { isLabelled, labelOf, textCodecs } from './track-label.ts';
import { type SoundTrack, type TextFile, withOthers } from './with-others.ts';

/** At least one source. */
export type SourceProbes = readonly [MediaProbe, ...MediaProbe[]];

export interface Keeping {
  tracks: 'all' | 'first';
  /** Number of the only audio track to keep, which the probes have chosen. */
  audio_track?: number | undefined;
  format: VideoContainer;
  /** Of every source whose picture is shown; the first one names the tracks. */
  probes: SourceProbes;
  facts: Facts;
  /** The sound as this operation makes it, of probes whose sound is another one of their tracks; null if the sound is not the sources'. */
  soundOf: ((probes: SourceProbes) => SplicedSound | null) | null;
}

interface TextsOf {
  source?: number;
  /** What is kept of the source; absent for all of it. */
  kept?: readonly Span[];
}

/** Reads the text tracks that will be kept. */
export function textAnalyses(
  tracks: 'all' | 'first',
  probe: MediaProbe,
  { source = 0, kept }: TextsOf = {},
): Analysis[] {
  const streams = tracks === 'all' ? textsOf(probe) : [];
  // The kept spans begin and end with frames.
  const within = ({ start, end }: Span): [number, number] => [
    probe.origin + start - ROUNDED,
    probe.origin + end + ROUNDED,
  ];
  return streams.length === 0 ? [] : [{ kind: 'texts', source, streams, spans: kept?.map(within) ?? null }];
}

/** More seconds than the edges of a span move to frames. */
const ROUNDED = 1;

/** For each further sound track, the probes that choose it; none if the sources differ in their number. */
function choicesOf([first, ...more]: SourceProbes): SourceProbes[] {
  const others = more.map(othersOf);
  return othersOf(first).flatMap((probe, index, all) => {
    const same = others.flatMap((list) => (list.length === all.length ? (list[index] ?? []) : []));
    return same.length === more.length ? [[probe, ...same]] : [];
  });
}

/**
 * The same output with the other tracks of its source: every sound is cut like the first one, text and chapters move with what they belong to.
 */
export function keepTracks(plan: Plan, keeping: Keeping): Plan {
  const { probes, tracks, format } = keeping;
  const own = labelsOf(probes[0], plan.expect.media[0]);
  const labels = keeping.soundOf ? own : { ...own, audio: null };
  const labeled = withLabels(plan, labels);
  if (tracks === 'first') return labeled;
  const { sounds, silent } = soundsOf(keeping, plan.expect.media[0]);
  const { texts, crowded } = textTracks(keeping, plan);
  const chapters = fitting(format, mappedChapters(probes.map(chaptersIn), plan.time_map));
  const dropped = droppedOf(probes, {
    sounds: sounds.length,
    silent,
    texts: textsRead(keeping),
    tooLong: probes.map((_, source) => tooLongOf(keeping.facts.sources?.[source]?.texts)),
    chosen: keeping.audio_track !== undefined,
  });
  const warned = [dropped, crowded].filter((warning) => warning !== null).reduce(withWarning, labeled);
  const others = { sounds: choosingOne(sounds, labels.audio), texts: choosingOne(texts, null) };
  return withOthers(warned, format, { ...others, labels, chapters });
}

/**
 * Tracks of one kind of which players choose one by themselves: some play all at once that are marked. In Matroska each track is that
 * says nothing. @param before Of the track before them.
 */
function choosingOne<T extends { label: TrackLabel }>(tracks: readonly T[], before: TrackLabel | null): T[] {
  let found = before?.default ?? false;
  return tracks.map((track) => {
    const chosen = track.label.default && !found;
    found ||= chosen;
    return { ...track, label: { ...track.label, default: chosen } };
  });
}

/** What the container says of the first picture and sound; null if nothing. */
function labelsOf(probe: MediaProbe, expected: ExpectedMedia | undefined): TrackLabels {
  const of = (stream: { index: number } | null, present: unknown) =>
    stream && present ? labelOf(probe, stream.index) : null;
  return { video: of(probe.video, expected?.video), audio: of(probe.audio, expected?.audio) };
}

/** An output of sound alone keeps the language of its track. */
export function keepLanguage(plan: Plan, probe: MediaProbe): Plan {
  const { audio } = labelsOf(probe, plan.expect.media[0]);
  return withLabels(plan, { video: null, audio: audio && { ...audio, title: null } });
}

function withLabels(plan: Plan, labels: TrackLabels): Plan {
  const said = [labels.video, labels.audio].filter((label) => label !== null);
  return said.some(isLabelled) ? described(plan, { labels }) : plan;
}

/** The other sound tracks, if the output has sound at all; `silent` are those that have none where the output plays. */
function soundsOf(
  { probes, soundOf, audio_track }: Keeping,
  expected: ExpectedMedia | undefined,
): { sounds: SoundTrack[]; silent: number[] } {
  const found = { sounds: [] as SoundTrack[], silent: [] as number[] };
  for (const chosen of expected?.audio && audio_track === undefined ? choicesOf(probes) : []) {
    const streams = chosen.map(({ audio }) => audio?.index ?? 0);
    const [stream = 0] = streams;
    const sound = soundOf?.(chosen);
    if (!sound) found.silent.push(stream);
    else found.sounds.push({ streams, label: labelOf(probes[0], stream), sound: named(sound, stream) });
  }
  return found;
}

/** The sound of a track in files of its own. */
function named({ steps, input, byFfmpeg, ...sound }: SplicedSound, stream: number): SplicedSound {
  const name = (file: string) => `track${stream}-${file}`;
  return {
    ...sound,
    steps: renamedSteps(steps, name),
    input: 'source' in input ? input : { ...input, file: name(input.file) },
    ...(byFfmpeg ? { byFfmpeg: named(byFfmpeg, stream) } : {}),
  };
}

/** Of all text tracks together, in all parts of an output. */
const MOST_CUES = 200_000;

/**
 * The text tracks; of several sources, each first track continues in the first of the next source, and so on. `crowded` warns of those that
 * are left out because too much of them is shown at a time in too many parts.
 */
function textTracks(
  { probes, facts, format }: Keeping,
  { time_map }: Plan,
): { texts: TextFile[]; crowded: Warning | null } {
  const bySource = probes.map((_, source) => facts.sources?.[source]?.texts ?? []);
  const room = { cues: MOST_CUES };
  const left: number[] = [];
  const texts = (bySource[0] ?? []).flatMap(({ stream }, index): TextFile[] => {
    const cues: TextCue[] = [];
    for (const [source, { origin }] of probes.entries()) {
      const own = sinceOrigin(bySource[source]?.[index]?.cues ?? [], origin);
      const mapped = room.cues < 0 ? null : mappedCues(own, time_map, source, room);
      if (!mapped) {
        left.push(stream);
        return [];
      }
      for (const cue of mapped) cues.push(cue);
    }
    if (cues.length === 0) return [];
    const inOrder = cues.sort((a, b) => a.start - b.start);
    const text = textOfTrack(inOrder, textCodecs[format]);
    return [{ label: labelOf(probes[0], stream), file: `track${stream}.srt`, text }];
  });
  if (left.length === 0) return { texts, crowded: null };
  const named = `${left.length === 1 ? 'Text track' : 'Text tracks'} ${left.join(', ')}`;
  const detail = `${named} left out: too many captions are shown at once in too many parts of the output.`;
  return { texts, crowded: { code: 'stream_dropped', detail } };
}

/** By source, the text tracks that continue one of the first source. */
const textsRead = ({ probes, facts }: Keeping): number[][] => {
  const most = facts.sources?.[0]?.texts?.length ?? 0;
  return probes.map((_, source) =>
    (facts.sources?.[source]?.texts ?? [])
      .slice(0, most)
      .flatMap(({ stream, cues }) => (cues.length > 0 ? stream : [])),
  );
};

const tooLongOf = (texts: readonly TextTrack[] = []): number[] =>
  texts.flatMap(({ stream, tooLong }) => (tooLong ? stream : []));

const sinceOrigin = (cues: readonly TextCue[], origin: number): TextCue[] =>
  cues.map(({ start, end, text }) => ({ start: start - origin, end: end - origin, text }));

const withWarning = (plan: Plan, warning: Warning): Plan =>
  alike(plan, (each) => ({ ...each, warnings: [...each.warnings, warning] }));
