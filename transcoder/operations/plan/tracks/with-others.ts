import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { Plan } from '../../../model/plan.ts';
import type { Chapter } from '../../../model/source/contents.ts';
import type { Input, Render, Step, TrackLabel, TrackLabels } from '../../../model/steps.ts';
import type { SplicedSound } from '../audio-file.ts';
import { alike, expecting } from '../changed-plan.ts';
import { demuxerFor } from '../output-files.ts';
import { tagsFile } from '../tags-file.ts';
import { writtenBetween } from './renamed-steps.ts';
import { textCodecs } from './track-label.ts';

/** A further sound in a file of its own. */
export interface SoundTrack {
  /** Index in each source. */
  streams: number[];
  label: TrackLabel;
  file: string;
  steps: Step[];
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

/** The same output with further tracks and chapters. They need no further copy of the picture if ffmpeg writes it and there are only chapters. */
export function withOthers(plan: Plan, format: VideoContainer, others: Others): Plan {
  const { sounds, texts, chapters } = others;
  const tracks = sounds.length > 0 || texts.length > 0;
  if (!tracks && chapters.length === 0) return plan;
  return alike(
    plan,
    (each) => (tracks ? null : withChapters(each, chapters)) ?? joined(each, format, others),
  );
}

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

/** Delay of the encoder of Opus, which the muxer of Matroska subtracts from times that are without it already: 312 of 48,000 samples. */
const OPUS_LEAD = 312 / 48_000;

const leads = (format: VideoContainer, codec: string | undefined) =>
  codec === 'opus' && (format === 'webm' || format === 'mkv');

/** Writes the picture and the first sound to a file of their own, and joins all tracks. */
function joined(plan: Plan, format: VideoContainer, { sounds, texts, labels, chapters }: Others): Plan {
  const [file] = plan.files;
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
        video: { from: '0:0', encode: { copy: { codec: expected?.video?.codec ?? '', packets: null } } },
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
    ...between.steps,
    ...sounds.flatMap((sound) => sound.steps),
    ...texts.map(({ file: name, text }): Step => ({ kind: 'text', file: name, text })),
    ...(chapters.length > 0 ? [chapterStep(chapters)] : []),
    step,
  ];
  const more = {
    sounds: sounds.map(({ streams, sound }) => ({ streams, codec: sound.codec })),
    texts: texts.map(() => ({ codec: textCodecs[format] })),
    chapters,
  };
  return { ...expecting(plan, more), steps };
}
