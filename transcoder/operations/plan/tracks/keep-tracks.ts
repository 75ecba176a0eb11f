import { srtText } from '../../../../schema/media/subtitles.ts';
import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import type { MediaProbe } from '../../../model/media-probe.ts';
import type { Analysis, ExpectedMedia, Facts, Plan, TextCue } from '../../../model/plan.ts';
import type { Input, Render, Step, TrackLabel, TrackLabels } from '../../../model/steps.ts';
import { demuxerFor } from '../output-files.ts';
import type { SplicedSound } from '../spliced-sound.ts';
import { mappedCues } from './mapped-cues.ts';
import { renamedSteps, writtenBetween } from './renamed-steps.ts';
import { isLabelled, labelOf, textCodecs } from './track-label.ts';

/** Text tracks whose cues can be read and moved; others are pictures. */
const readable: readonly string[] = ['mov_text', 'subrip', 'srt', 'webvtt', 'ass', 'ssa', 'text'];

/** At least one source. */
export type SourceProbes = readonly [MediaProbe, ...MediaProbe[]];

interface Keeping {
  tracks: 'all' | 'first';
  format: VideoContainer;
  /** Of every source whose picture is shown; the first one names the tracks. */
  probes: SourceProbes;
  facts: Facts;
  /** The sound as this operation makes it, of probes whose sound is another one of their tracks. */
  soundOf: (probes: SourceProbes) => SplicedSound | null;
}

/** Reads the text tracks that will be kept. */
export function textAnalyses(tracks: 'all' | 'first', probe: MediaProbe, source = 0): Analysis[] {
  const streams = tracks === 'all' ? textsOf(probe) : [];
  return streams.length === 0 ? [] : [{ kind: 'texts', source, streams }];
}

const textsOf = ({ streams }: MediaProbe): number[] =>
  streams
    .filter(({ type, codec }) => type === 'subtitle' && readable.includes(codec))
    .map(({ index }) => index);

/** Probes of the same source that choose one of its other sound tracks each. */
const othersOf = (probe: MediaProbe): MediaProbe[] =>
  probe.still
    ? []
    : probe.streams.flatMap(({ audio }) =>
        audio && audio.index !== probe.audio?.index ? [{ ...probe, audio }] : [],
      );

/** For each further sound track, the probes that choose it; none if the sources differ in their number. */
function choicesOf([first, ...more]: SourceProbes): SourceProbes[] {
  const others = more.map(othersOf);
  return othersOf(first).flatMap((probe, index, all) => {
    const same = others.flatMap((list) => (list.length === all.length ? (list[index] ?? []) : []));
    return same.length === more.length ? [[probe, ...same]] : [];
  });
}

/**
 * The same output with the other tracks of its source: every sound is cut like the first one, text moves with what it belongs to.
 * They are made on their own and joined with the picture and the first sound, whose packets are copied.
 */
export function keepTracks(plan: Plan, keeping: Keeping): Plan {
  const { probes, tracks } = keeping;
  const labels = labelsOf(probes[0], plan.expect.media[0]);
  const labelled = withLabels(plan, labels);
  if (tracks === 'first') return labelled;
  const { sounds, silent } = soundsOf(keeping, plan.expect.media[0]);
  const texts = textTracks(keeping, plan);
  const dropped = droppedOf(probes, sounds.length, silent);
  const warned = dropped === null ? labelled : withWarning(labelled, dropped);
  if (sounds.length === 0 && texts.length === 0) return warned;
  return joined(warned, keeping, { sounds, texts, labels });
}

/** What the container says of the first picture and sound; null if nothing. */
function labelsOf(probe: MediaProbe, expected: ExpectedMedia | undefined): TrackLabels {
  const of = (stream: { index: number } | null, present: unknown) =>
    stream && present ? labelOf(probe, stream.index) : null;
  return { video: of(probe.video, expected?.video), audio: of(probe.audio, expected?.audio) };
}

function withLabels(plan: Plan, labels: TrackLabels): Plan {
  const said = [labels.video, labels.audio].filter((label) => label !== null);
  if (!said.some(isLabelled)) return plan;
  const [{ file }] = plan.files;
  const steps = plan.steps.map((step): Step => {
    if (step.kind === 'splice') return step.file === file ? { ...step, labels } : step;
    if (step.kind !== 'render') return step;
    const outputs = step.outputs.map((output) =>
      output.file === file && 'audio' in output ? { ...output, labels } : output,
    );
    return { ...step, outputs };
  });
  return { ...plan, steps, ...(plan.otherwise ? { otherwise: withLabels(plan.otherwise, labels) } : {}) };
}

interface SoundTrack {
  /** Index in each source. */
  streams: number[];
  label: TrackLabel;
  file: string;
  steps: Step[];
  sound: SplicedSound;
}

/** The other sound tracks, if the output has sound at all; `silent` are those that have none where the output plays. */
function soundsOf(
  { probes, soundOf }: Keeping,
  expected: ExpectedMedia | undefined,
): { sounds: SoundTrack[]; silent: number[] } {
  const found = { sounds: [] as SoundTrack[], silent: [] as number[] };
  for (const chosen of expected?.audio ? choicesOf(probes) : []) {
    const streams = chosen.map(({ audio }) => audio?.index ?? 0);
    const [stream = 0] = streams;
    const sound = soundOf(chosen);
    if (!sound) found.silent.push(stream);
    else
      found.sounds.push({ streams, label: labelOf(probes[0], stream), sound, ...madeSound(sound, stream) });
  }
  return found;
}

/** A file of the sound alone, and the steps that make it. */
function madeSound(
  { steps, input, audio }: SplicedSound,
  stream: number,
): Pick<SoundTrack, 'file' | 'steps'> {
  const name = (file: string) => `track${stream}-${file}`;
  if ('file' in input) return { file: name(input.file), steps: renamedSteps(steps, name) };
  const file = name('sound.m4a');
  return { file, steps: [{ kind: 'trim', file, ...audio, input, seconds: 0 }] };
}

interface TextFile {
  label: TrackLabel;
  file: string;
  text: string;
}

/** The text tracks; of several sources, each first track continues in the first of the next source, and so on. */
function textTracks({ probes, facts }: Keeping, { time_map }: Plan): TextFile[] {
  const bySource = probes.map((_, source) => facts.sources?.[source]?.texts ?? []);
  return (bySource[0] ?? []).flatMap(({ stream }, index): TextFile[] => {
    const cues = probes.flatMap(({ origin }, source) =>
      mappedCues(sinceOrigin(bySource[source]?.[index]?.cues ?? [], origin), time_map, source),
    );
    if (cues.length === 0) return [];
    const inOrder = cues.sort((a, b) => a.start - b.start);
    return [{ label: labelOf(probes[0], stream), file: `track${stream}.srt`, text: srtText(inOrder) }];
  });
}

const sinceOrigin = (cues: readonly TextCue[], origin: number): TextCue[] =>
  cues.map(({ start, end, text }) => ({ start: start - origin, end: end - origin, text }));

/**
 * Says which tracks a player could choose in the sources, but not in the output.
 * @param kept Number of further sound tracks in the output.
 */
function droppedOf(probes: SourceProbes, kept: number, silent: readonly number[]): Warning | null {
  const [first, ...more] = probes;
  const differ = more.some((probe) => othersOf(probe).length !== othersOf(first).length);
  const names = probes.flatMap((probe, source) => {
    const texts = textsOf(probe);
    const lost = probe.streams.filter(({ index, type, video, audio }) => {
      if (type === 'video') return video !== null && index !== probe.video?.index;
      if (type === 'subtitle') return !texts.includes(index);
      if (type !== 'audio') return false;
      const other = index !== probe.audio?.index;
      return audio === null || silent.includes(index) || (differ && kept === 0 && other);
    });
    const of = more.length > 0 ? ` of source ${source}` : '';
    return lost.map(({ index, type, codec }) => `track ${index}${of} (${type}, ${codec})`);
  });
  if (names.length === 0) return null;
  const why = differ ? 'because the sources differ in their tracks' : 'because the output cannot hold';
  const what = differ ? '' : names.length === 1 ? ' it' : ' them';
  return { code: 'stream_dropped', detail: `Not kept, ${why}${what}: ${names.join(', ')}.` };
}

const withWarning = (plan: Plan, warning: Warning): Plan => ({
  ...plan,
  warnings: [...plan.warnings, warning],
  ...(plan.otherwise ? { otherwise: withWarning(plan.otherwise, warning) } : {}),
});

interface Others {
  sounds: readonly SoundTrack[];
  texts: readonly TextFile[];
  labels: TrackLabels;
}

/** Delay of the encoder of Opus, which the muxer of Matroska subtracts from times that are without it already: 312 of 48,000 samples. */
const OPUS_LEAD = 312 / 48_000;

const leads = (format: VideoContainer, codec: string | undefined) =>
  codec === 'opus' && (format === 'webm' || format === 'mkv');

/** Writes the picture and the first sound to a file of their own, and joins all tracks. */
function joined(plan: Plan, keeping: Keeping, others: Others): Plan {
  const { format } = keeping;
  const { sounds, texts, labels } = others;
  const [file, ...more] = plan.files;
  const main = 'main';
  const between = writtenBetween(plan.steps, file.file, main);
  const expected = plan.expect.media[0];
  const late = leads(format, expected?.audio?.codec) ? { late: OPUS_LEAD } : {};
  const inputs: Input[] = [
    { made: main, format: demuxerFor(between.container) },
    { made: main, format: demuxerFor(between.container), ...late },
    ...sounds.map(({ file: made }) => ({
      ...{ made, format: demuxerFor(made.endsWith('.ogg') ? 'ogg' : 'm4a') },
      ...late,
    })),
    ...texts.map(({ file: made }) => ({ subtitles: made })),
  ];
  const at = (index: number) => `${index}:0`;
  const step: Render = {
    kind: 'render',
    inputs,
    chains: [],
    outputs: [
      {
        file: file.file,
        container: format,
        video: { from: '0:0', encode: { copy: { codec: expected?.video?.codec ?? '', packets: null } } },
        audio: expected?.audio ? { from: '1:1', encode: 'copy' } : null,
        sounds: sounds.map(({ label }, index) => ({ from: at(2 + index), label })),
        texts: texts.map(({ label }, index) => ({
          from: at(2 + sounds.length + index),
          codec: textCodecs[format],
          label,
        })),
        labels,
      },
    ],
    seconds: plan.duration,
    weight: (plan.duration ?? 0) / 20,
    lead: 0,
  };
  const steps: Step[] = [
    ...between.steps,
    ...sounds.flatMap((sound) => sound.steps),
    ...texts.map(({ file: name, text }): Step => ({ kind: 'text', file: name, text })),
    step,
  ];
  const media = plan.expect.media.map((each, index) =>
    index > 0
      ? each
      : {
          ...each,
          sounds: sounds.map(({ streams, sound }) => ({ streams, codec: sound.codec })),
          texts: texts.map(() => ({ codec: textCodecs[format] })),
        },
  );
  return {
    ...plan,
    files: [file, ...more],
    steps,
    expect: { ...plan.expect, media },
    ...(plan.otherwise ? { otherwise: joined(plan.otherwise, keeping, others) } : {}),
  };
}
