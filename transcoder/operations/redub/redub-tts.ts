import { type EngineId, engineUsedOf } from '../../../schema/media/engines.ts';
import { pronounced } from '../../../schema/media/spoken-text.ts';
import { type Cue, srtText, vttText } from '../../../schema/media/subtitles.ts';
import { defaultVoice } from '../../../schema/media/voices.ts';
import { backgroundOf } from '../../../schema/operations/fields/redub.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Warning } from '../../../schema/task/task.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import type { Analysis, Plan, Planner, PlanRequest, Spoken } from '../../model/plan.ts';
import type { MediaProbe, StatedAudio } from '../../model/source/media-probe.ts';
import { onBothSides } from '../../model/source/sound-times.ts';
import type { Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { withFiles } from '../plan/changed-plan.ts';
import { endOfFrame, type Picture, pictureAnalyses, planPicture } from '../plan/dubbed-picture.ts';
import { fitFades } from '../plan/fit-fades.ts';
import { writtenText } from '../plan/output.ts';
import { MIX_RATE, rawInput } from '../plan/raw-audio.ts';
import { micros, movingOf, only, shown, thousandths } from '../plan/require-streams.ts';
import { backgroundLaid } from './background.ts';
import { type FitOptions, fitLines, isHeard, type Placed, requiredSpeedUps } from './fit-to-slots.ts';
import { mixSteps } from './mix.ts';
import { reported } from './report.ts';
import { captionsOf, type Line, linesOf, scriptOf, scriptText, tooLate, unsaidOf } from './script.ts';
import { speakingEngines } from './speaking-engines.ts';

type Input = OperationInput<'redub_tts'>;

const VOICE_FILE = 'voice.raw';
/** A line that lasts longer than its slot by more seconds than this is reported. */
const LATE = 0.3;
/** Fade at the end of a cut-off line, in seconds. */
const CUT_FADE = 0.03;

export const redubTts: Planner<Input> = {
  reads: scriptText,

  analyses: (input, probes, means) => {
    const { duration } = movingOf(only(probes));
    const lines = linesOf(input, duration, scriptOf(input, means.brought));
    const late = lines.find(({ slot }) => slot && slot.start >= duration);
    if (late) {
      const detail = `A line starts at ${shown(late.slot?.start ?? 0)} s, but the video is only ${shown(duration)} s long.`;
      throw new TaskFailure('time_out_of_range', detail, { sourceIndex: 0 });
    }
    const engines = speakingEngines(input, means);
    return [...pictureAnalyses(wholeOf(input, duration), only(probes)), speech(input, lines, engines)];
  },

  again: ({ input, probes, facts, brought }) => {
    const { speech: first } = facts;
    const { duration } = movingOf(only(probes));
    if (!first) throw new Error('the analysis returned no speech');
    const lines = linesOf(input, duration, scriptOf(input, brought));
    const faster = requiredSpeedUps(lines, secondsOf(lines, first), optionsOf(input, duration));
    const slow = lines.filter(({ id }) => faster.has(id));
    return slow.length === 0 ? [] : [speech(input, slow, [first.engine], faster)];
  },

  plan: (request) => {
    const { input, probes, facts } = request;
    const probe = only(probes);
    const { video, duration } = movingOf(probe);
    const { speech: spoken } = facts;
    if (!spoken) throw new Error('the analysis returned no speech');
    const script = scriptOf(input, request.brought);
    const lines = linesOf(input, duration, script);
    const placed = fitLines(lines, secondsOf(lines, spoken), optionsOf(input, duration));
    const end = greatest(placed.map(({ start, seconds }) => start + seconds));
    const warnings: Warning[] = [
      ...unsaidWarnings(unsaidOf(input, script)),
      ...lateCueWarnings(tooLate(script, duration), duration),
      ...trimmedWarnings(placed),
      ...lateWarnings(placed, input),
    ];
    const picture = wholeOf(input, duration);
    if (end > duration + video.frameDuration / 2) {
      picture.seconds = endOfFrame(end, video, (frames) => Math.ceil(frames - 1e-6));
      const detail = `The speech ends at ${shown(end)} s, the video at ${shown(duration)} s. The last frame is held until the speech ends.`;
      warnings.push({ code: 'speech_overran', detail });
    }
    return dubbed(request, { probe, placed, spoken, picture, warnings });
  },
};

const wholeOf = (input: Input, seconds: number): Picture => ({ input, seconds, after: 'freeze' });

const optionsOf = (input: Input, total: number): FitOptions => ({
  fit: input.fit,
  mostStretch: 1 + input.max_stretch_percent / 100,
  total,
});

const secondsOf = (lines: readonly Line[], { files }: Spoken) =>
  lines.map(({ id }) => {
    const file = files[id];
    return file ? file.samples / file.sampleRate : 0;
  });

function speech(
  input: Input,
  lines: readonly Line[],
  engines: readonly EngineId[],
  faster: ReadonlyMap<string, number> = new Map(),
): Analysis {
  return {
    kind: 'speech',
    engines: [...engines],
    language: input.language,
    lines: lines.map(({ id, text, voiceId }) => ({
      id,
      text: pronounced(text, input.pronunciations),
      voiceId: voiceId ?? null,
      voices: Object.fromEntries(
        engines.map((engine) => [engine, defaultVoice(engine, input.language)?.id ?? null]),
      ),
      speed: input.speed * (faster.get(id) ?? 1),
    })),
  };
}

function unsaidWarnings(unsaid: readonly Cue[]): Warning[] {
  if (unsaid.length === 0) return [];
  const [first] = unsaid;
  const detail = `${unsaid.length === 1 ? '1 caption has' : `${unsaid.length} captions have`} no letter or digit and cannot be spoken; the first is at ${shown(first?.start ?? 0)} s.`;
  return [{ code: 'captions_dropped', detail }];
}

function lateCueWarnings({ length }: readonly Cue[], duration: number): Warning[] {
  if (length === 0) return [];
  const which = length === 1 ? '1 caption' : `${length} captions`;
  const detail = `${which} without a duration ${length === 1 ? 'starts' : 'start'} when the video has ended, at ${shown(duration)} s, and cannot be spoken.`;
  return [{ code: 'captions_dropped', detail }];
}

function trimmedWarnings(placed: readonly Placed[]): Warning[] {
  const [first, ...others] = placed.filter((each) => !isHeard(each));
  if (!first) return [];
  const which = others.length === 0 ? '1 line is' : `${others.length + 1} lines are`;
  const detail = `${which} not spoken, because \`fit: trim\` leaves no time; the first would be at ${shown(first.start)} s. Shorten the text, give it more time, or use \`fit: stretch\`.`;
  return [{ code: 'captions_dropped', detail }];
}

function lateWarnings(placed: readonly Placed[], { fit }: Input): Warning[] {
  const late = placed.filter(({ line, overrun }) => line.slot && overrun > LATE);
  const worst = late.toSorted((one, other) => other.overrun - one.overrun)[0];
  if (!worst) return [];
  const which = late.length === 1 ? '1 line is' : `${late.length} lines are`;
  const instead = fit === 'stretch' ? 'raise `max_stretch_percent`' : 'use `fit: stretch`';
  const detail = `${which} longer than the slot by more than ${LATE} s; the longest, at ${shown(worst.start)} s, by ${shown(worst.overrun)} s. Shorten the text, give it more time, or ${instead}.`;
  return [{ code: 'speech_overran', detail }];
}

interface Dubbing {
  probe: MediaProbe;
  placed: Placed[];
  spoken: Spoken;
  picture: Picture;
  warnings: Warning[];
}

function dubbed(request: PlanRequest<Input>, { probe, placed, spoken, picture, warnings }: Dubbing): Plan {
  const { input } = request;
  const { sampleRate } = spoken;
  const background = backgroundLaid(request, backgroundOf(input, 'none'), {
    ...{ url: input.bg_url, volumeDb: input.bg_volume_db, seconds: picture.seconds, after: picture.after },
    ...{ as: 'separation', warnings },
  });
  const channels = background.laid ? 2 : 1;
  const samples = Math.round(picture.seconds * MIX_RATE);
  const mix = mixSteps({
    voice: {
      input: rawInput(VOICE_FILE, { sampleRate, layout: 'mono' }),
      stream: 0,
      filters: channels > 1 ? [onBothSides] : [],
      volumeDb: input.voice_volume_db,
    },
    background: background.laid,
    duckDb: input.duck ? input.duck_db : null,
    spoken: null,
    ...{ channels, samples, lufs: input.normalize_lufs },
    fades: fitFades({ in: input.fade_in, out: input.fade_out }, picture.seconds, warnings),
  });
  const like: StatedAudio = {
    ...(probe.audio ?? anyVoice),
    ...{ sampleRate: MIX_RATE, channels, bitsPerSample: null },
  };
  const steps = [...voiceSteps(placed, spoken, picture.seconds), ...background.steps, ...mix];
  const plan = planPicture(request, picture, { steps, channels, like }, warnings);
  const separation = background.separation && engineUsedOf(background.separation);
  const data = {
    segments: placed.map((each) => segmentOf(each, spoken)),
    engine: engineUsedOf(spoken.engine, spoken.model),
    ...{ separation, background: background.source },
  };
  const finished = reported(plan, samples, data);
  return input.return_captions ? withCaptions(finished, placed) : finished;
}

/** Encoding properties of the sound if the video has none. */
const anyVoice: StatedAudio = {
  ...{ index: 1, codec: 'aac', sampleRate: MIX_RATE, channels: 1, layout: 'mono', bitsPerSample: null },
  ...{ kbps: null, timeBase: `1/${MIX_RATE}` },
};

/** Steps that write the voice: every line at its final length and exact sample. */
function voiceSteps(placed: readonly Placed[], { files, sampleRate }: Spoken, seconds: number): Step[] {
  const samplesOf = (time: number) => Math.round(time * sampleRate);
  const stretched = placed.flatMap(({ line, stretch }): Step[] => {
    const file = files[line.id];
    if (!file || stretch <= 1) return [];
    const to = Math.round(file.samples / stretch);
    return [
      { kind: 'stretch', from: file.file, file: `${line.id}.fit.raw`, sampleRate, channels: 1, samples: to },
    ];
  });
  const parts = placed.flatMap(({ line, start, seconds: lasts, stretch, cut }) => {
    const file = files[line.id];
    if (!file) return [];
    return [
      {
        file: stretch > 1 ? `${line.id}.fit.raw` : file.file,
        at: samplesOf(start),
        samples: samplesOf(lasts),
        fade: cut ? samplesOf(CUT_FADE) : 0,
      },
    ];
  });
  return [...stretched, { kind: 'place', file: VOICE_FILE, parts, samples: samplesOf(seconds) }];
}

function segmentOf({ line, start, seconds, stretch, overrun }: Placed, { files }: Spoken) {
  const hurry = files[line.id]?.hurry ?? 1;
  return {
    text: line.text,
    slot: line.slot && ([micros(line.slot.start), micros(line.slot.end)] as [number, number]),
    spoken: [micros(start), micros(start + seconds)] as [number, number],
    stretch: thousandths(stretch * hurry),
    overrun: micros(overrun),
  };
}

function withCaptions(plan: Plan, placed: readonly Placed[]): Plan {
  const cues = placed
    .filter(isHeard)
    .flatMap(({ line, start, seconds }) => captionsOf({ start, end: start + seconds, text: line.text }));
  return withFiles(plan, [
    writtenText('captions_srt', 'captions', 'srt', srtText(cues)),
    writtenText('captions_vtt', 'captions', 'vtt', vttText(cues)),
  ]);
}
