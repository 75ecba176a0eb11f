import type { Demuxer } from '../../../../schema/media/demuxers.ts';
import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Chapter } from '../../../model/source/contents.ts';
import type {
  CopiedVideo,
  Input,
  Render,
  Splice,
  SpliceInput,
  Step,
  TrackLabel,
  TrackLabels,
} from '../../../model/steps.ts';
import type { SplicedSound } from '../audio-file.ts';
import { alike, expecting, withFirstFallback } from '../changed-plan.ts';
import { demuxerFor } from '../output-files.ts';
import { tagsFile } from '../tags-file.ts';
import { writtenBetween } from './renamed-steps.ts';
import { textCodecs } from './track-label.ts';

/** A further sound. */
export interface SoundTrack {
  /** Index in each source. */
  streams: number[];
  label: TrackLabel;
  sound: SplicedSound;
}

export interface TextFile {
  label: TrackLabel;
  file: string;
  text: string;
}

interface Others {
  sounds: readonly SoundTrack[];
  texts: readonly TextFile[];
  /** Of the picture and of the first sound. */
  labels: TrackLabels;
  chapters: readonly Chapter[];
}

const CHAPTERS = 'chapters.txt';

/**
 * The same output with further tracks and chapters. They need no further copy of the picture if libav writes an mp4 or mov, or if ffmpeg
 * writes the file and there are only chapters.
 */
export function withOthers(plan: Plan, format: VideoContainer, others: Others): Plan {
  const { sounds, texts, chapters } = others;
  if (sounds.length === 0 && texts.length === 0 && chapters.length === 0) return plan;
  const byFfmpeg = sounds.map((each) => ({ ...each, sound: each.sound.byFfmpeg ?? each.sound }));
  const last = (each: Plan) => withTracks(each, format, { ...others, sounds: byFfmpeg });
  if (plan.otherwise)
    return alike(plan, (each) => (each.otherwise ? withTracks(each, format, others) : last(each)));
  // What ffmpeg makes alone needs a fallback as soon as libav makes one of its sounds.
  const made = withTracks(plan, format, others);
  return sounds.some(({ sound }) => sound.byFfmpeg) ? withFirstFallback(made, last(plan)) : made;
}

const withTracks = (plan: Plan, format: VideoContainer, others: Others): Plan =>
  spliced(plan, format, others) ??
  (others.sounds.length > 0 || others.texts.length > 0 ? null : withChapters(plan, others.chapters)) ??
  joined(plan, format, others);

/** A file of the text alone, which libav copies. */
const textFile = (file: string) => `${file}.mp4`;

/** Null if libav does not write the output, or writes a container in which other tracks would have other times. */
function spliced(plan: Plan, format: VideoContainer, others: Others): Plan | null {
  const { sounds, texts, labels, chapters } = others;
  const [{ file }] = plan.files;
  const step = plan.steps.find((each) => each.kind === 'splice' && each.file === file);
  if (step?.kind !== 'splice' || (format !== 'mp4' && format !== 'mov')) return null;
  const inputs: SpliceInput[] = [...step.inputs];
  const added = (input: SpliceInput) => inputs.push(input) - 1;
  const tracks: NonNullable<Splice['others']> = [
    ...sounds.map(({ label, sound }) => ({ input: added(sound.input), label, ...sound.audio })),
    ...texts.map(({ file: made, label }) => ({
      ...{ input: added({ file: textFile(made), format: 'mov', stream: 0 }), label },
      ...{ start: 0, end: Number.MAX_SAFE_INTEGER, settle: 0 },
    })),
  ];
  const whole: Splice = { ...step, inputs, others: tracks, chapters: [...chapters], labels };
  const steps = plan.steps.flatMap((each) =>
    each === step
      ? [...sounds.flatMap(({ sound }) => sound.steps), ...textSteps(texts, plan), whole]
      : [each],
  );
  return { ...expecting(plan, expectedOf(format, others)), steps };
}

/** Writes the texts, and each into a file that libav copies. */
function textSteps(texts: readonly TextFile[], { duration }: Plan): Step[] {
  if (texts.length === 0) return [];
  const convert: Render = {
    kind: 'render',
    inputs: texts.map(({ file }) => ({ subtitles: file })),
    chains: [],
    outputs: texts.map(({ file, label }, index) => ({
      ...{ file: textFile(file), container: 'mp4', video: null, audio: null },
      texts: [{ from: `${index}:0`, codec: textCodecs.mp4, label }],
    })),
    ...{ seconds: duration, weight: 0, lead: 0 },
  };
  return [...texts.map(({ file, text }): Step => ({ kind: 'text', file, text })), convert];
}

const expectedOf = (format: VideoContainer, { sounds, texts, chapters }: Others) => ({
  sounds: sounds.map(({ streams, sound }) => ({ streams, codec: sound.codec })),
  texts: texts.map(() => ({ codec: textCodecs[format] })),
  chapters: [...chapters],
});

const chapterStep = (chapters: readonly Chapter[]): Step => ({
  ...{ kind: 'text', file: CHAPTERS, text: tagsFile({}, [], chapters) },
});

/** Null if libav writes the output, which cannot write chapters. */
function withChapters(plan: Plan, chapters: readonly Chapter[]): Plan | null {
  const [{ file }] = plan.files;
  let written = false;
  const steps = plan.steps.map((step): Step => {
    if (step.kind !== 'render') return step;
    const outputs = step.outputs.map((output) => {
      if (output.file !== file || !('audio' in output)) return output;
      written = true;
      return { ...output, chapters: step.inputs.length };
    });
    const writes = outputs.some((output) => 'chapters' in output);
    return writes ? { ...step, inputs: [...step.inputs, { chapters: CHAPTERS }], outputs } : step;
  });
  if (!written) return null;
  return { ...expecting(plan, { chapters }), steps: [chapterStep(chapters), ...steps] };
}

/** A file of the sound alone, and the steps that make it. */
function soundFile({ streams, sound: { steps, input, audio } }: SoundTrack): {
  made: string;
  format: Demuxer;
  steps: readonly Step[];
} {
  if ('file' in input) return { made: input.file, format: input.format, steps };
  const file = `track${streams[0]}-sound.m4a`;
  const trim: Step = { kind: 'trim', file, ...audio, input, seconds: 0 };
  return { made: file, format: demuxerFor('m4a'), steps: [...steps, trim] };
}

/** Delay of the encoder of Opus, which the muxer of Matroska subtracts from times that are without it already: 312 of 48,000 samples. */
const OPUS_LEAD = 312 / 48_000;

const leads = (format: VideoContainer, codec: string | undefined) =>
  codec === 'opus' && (format === 'webm' || format === 'mkv');

/** Writes the picture and the first sound to a file of their own, and joins all tracks. */
function joined(plan: Plan, format: VideoContainer, others: Others): Plan {
  const { sounds, texts, labels, chapters } = others;
  const [file] = plan.files;
  const main = 'main';
  const between = writtenBetween(plan.steps, file.file, main);
  const expected = plan.expect.media[0];
  const files = sounds.map(soundFile);
  const late = leads(format, expected?.audio?.codec) ? { late: OPUS_LEAD } : {};
  const inputs: Input[] = [
    { made: main, format: demuxerFor(between.container) },
    { made: main, format: demuxerFor(between.container), ...late },
    ...files.map(({ made, format: own }) => ({ made, format: own, ...late })),
    ...texts.map(({ file: made }) => ({ subtitles: made })),
  ];
  const marked = chapters.length > 0 ? { chapters: inputs.length } : {};
  if (chapters.length > 0) inputs.push({ chapters: CHAPTERS });
  const at = (index: number) => `${index}:0`;
  const step: Render = {
    kind: 'render',
    inputs,
    chains: [],
    outputs: [
      {
        file: file.file,
        container: format,
        video: {
          from: '0:0',
          encode: {
            copy: { codec: expected?.video?.codec ?? '', packets: null, ...colorsOf(between.steps) },
          },
        },
        audio: expected?.audio ? { from: '1:1', encode: 'copy' } : null,
        sounds: sounds.map(({ label }, index) => ({ from: at(2 + index), label })),
        texts: texts.map(({ label }, index) => ({
          from: at(2 + sounds.length + index),
          codec: textCodecs[format],
          label,
        })),
        labels,
        ...marked,
      },
    ],
    seconds: plan.duration,
    weight: (plan.duration ?? 0) / 20,
    lead: 0,
  };
  const steps: Step[] = [
    // First, because the picture is rendered in vain if libav fails at one of them.
    ...files.flatMap((sound) => sound.steps),
    ...between.steps,
    ...texts.map(({ file: name, text }): Step => ({ kind: 'text', file: name, text })),
    ...(chapters.length > 0 ? [chapterStep(chapters)] : []),
    step,
  ];
  return { ...expecting(plan, expectedOf(format, others)), steps };
}

/** What a copy of a file has to say of its colors as the copy in it does. */
function colorsOf(steps: readonly Step[]): Pick<CopiedVideo, 'dolbyVision'> {
  const outputs = steps.flatMap((step) => (step.kind === 'render' ? step.outputs : []));
  const only = outputs.some(
    (output) =>
      'video' in output &&
      output.video !== null &&
      'copy' in output.video.encode &&
      output.video.encode.copy.dolbyVision,
  );
  return only ? { dolbyVision: true } : {};
}
