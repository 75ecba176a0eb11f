import type { Warning } from '../../../schema/task/task.ts';
import type { Analysis, Plan, Planner, PlanRequest, SourceFacts } from '../../model/plan.ts';
import type { AudioStream, MediaProbe } from '../../model/source/media-probe.ts';
import type { Step } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { Scene } from '../../model/visual-scene.ts';
import { captionAnalyses } from '../plan/captions/captioned.ts';
import { captionsText } from '../plan/captions/parse-input.ts';
import { videoFades } from '../plan/filters.ts';
import { fitFades } from '../plan/fit-fades.ts';
import { type FrameRate, frameRate } from '../plan/frame-rate.ts';
import { drawnTarget } from '../plan/generated-video.ts';
import { type MediaRun, planMedia, shownWhole } from '../plan/output.ts';
import { audioOf, checkSide, probeOf, soundSeconds } from '../plan/require-streams.ts';
import { counted, drawnColors, repeatedFor } from '../plan/still-image.ts';
import { SAMPLE_RATE, samplesStep, soundOf } from './audio.ts';
import { backdropOf } from './background.ts';
import { captionsOf, captionsOver } from './captions.ts';
import { layoutOf, sizeOf, type VisualizeInput } from './layout.ts';
import { rolesOf } from './sources.ts';
import { titleScript } from './text.ts';

/** Loudness that sound is normalized to before drawing, and the limits of the gain in dB. */
const DRAWN_LUFS = -14;
const [LEAST_GAIN, MOST_GAIN] = [-12, 36];
/** How far the glow extends beyond the visual, as a share of its shorter side. */
const GLOW = 0.08;

const hasTitle = ({ title, subtitle }: VisualizeInput) => title !== undefined || subtitle !== undefined;
const titleLetters: Analysis = { kind: 'letters', brought: false };

export const visualize: Planner<VisualizeInput> = {
  reads: (input, texts) => {
    const captions = captionsOf(input);
    return captions && captionsText(captions, texts);
  },

  analyses: (input, probes, means) => {
    const { sound, behind, cover } = rolesOf(input);
    const heard = probeOf(probes, sound);
    const { index: stream } = audioOf(heard);
    const captions = captionsOf(input);
    const titled = hasTitle(input) && means.capabilities.filters.has('ass');
    const pictures = [...(input.image_url === undefined ? [] : [behind]), cover];
    return [
      { kind: 'loudness', source: sound, stream },
      ...pictures.flatMap((source): Analysis[] => (source === null ? [] : [{ kind: 'display', source }])),
      ...(captions ? captionAnalyses(captions, heard, means) : titled ? [titleLetters] : []),
    ];
  },

  plan: (request) => {
    const { input, limits, capabilities } = request;
    checkSide(sizeOf(input), limits.output_side_px);
    if ((input.title ?? input.subtitle ?? input.captions) !== undefined && !capabilities.filters.has('ass')) {
      throw new TaskFailure(
        'engine_unavailable',
        'Text is not available on this service. Remove `title`, `subtitle` and `captions`.',
      );
    }
    return planVideo(request, frameRate(input.fps));
  },
};

function planVideo(request: PlanRequest<VisualizeInput>, rate: FrameRate): Plan {
  const { input, probes, facts, capabilities } = request;
  const probe = probeOf(probes, rolesOf(input).sound);
  const audio = audioOf(probe);
  const size = sizeOf(input);
  const seconds = secondsOf(probe, audio, facts);
  const frames = Math.max(1, Math.ceil(seconds * rate.fps - 0.01));
  const duration = frames / rate.fps;
  const warnings: Warning[] = [];
  const { in: fade } = fitFades({ in: input.fade, out: input.fade }, seconds, warnings);
  const layout = layoutOf(input, facts.letters);
  const target = drawnTarget(input, size, rate, capabilities);
  const scene = sceneOf(input, layout.visual, rate, frames, facts.loudness?.integrated ?? null);
  const backdrop = backdropOf(request, { layout, size, rate, frames, target });
  const captions = captionsOver(request, { layout, seconds, fps: rate.fps }, warnings);
  const heard = soundOf({ probe, audio, format: input.format, duration, fade });
  const corner = { x: layout.visual.x - scene.margin, y: layout.visual.y - scene.margin };
  const colors = backdrop.inputs.length + 1;
  const run: MediaRun = {
    container: input.format,
    inputs: [
      { source: 0, seek: null },
      ...backdrop.inputs,
      { map: 'colors.ppm' },
      { drawing: { kind: 'visual', scene, sound: 'samples.raw' } },
    ],
    chains: [
      ...backdrop.chains,
      {
        from: [`${colors}:0`],
        filters: [...drawnColors('yuva420p'), ...repeatedFor(frames, rate)],
        to: ['colors'],
      },
      { from: [`${colors + 1}:0`], filters: counted(rate), to: ['mask'] },
      { from: ['colors', 'mask'], filters: [{ name: 'alphamerge' }], to: ['visual'] },
      {
        from: ['backdrop', 'visual'],
        filters: [
          { name: 'overlay', options: { ...corner, format: 'yuv420' } },
          ...captions.filters,
          ...videoFades({ in: fade, out: fade }, seconds),
          { name: 'format', options: { pix_fmts: target.encoding.pixelFormat } },
        ],
        to: ['v'],
      },
      ...heard.chains,
    ],
    picture: { from: 'v', encode: target.encoding, codec: target.codec, ...size, frames },
    sound: heard.sound,
    ...{ duration, tolerance: 1 / rate.fps, endsTogether: true },
  };
  const before: Step[] = [
    samplesStep(probe, audio, seconds),
    {
      kind: 'palette',
      file: 'colors.ppm',
      ...{ style: input.style, width: scene.width, height: scene.height },
      ...{ margin: scene.margin, colors: input.colors },
    },
    ...(layout.text && facts.letters
      ? [
          {
            kind: 'text' as const,
            file: 'title.ass',
            text: titleScript(layout.text, size, input, facts.letters),
          },
        ]
      : []),
    ...backdrop.steps,
    ...captions.steps,
  ];
  return planMedia(before, run, {
    ...{ fps: rate.fps, shows: shownWhole(seconds), warnings: [...warnings, ...backdrop.warnings] },
    data: {
      peak_db: facts.loudness?.truePeak ?? null,
      lufs: facts.loudness?.integrated ?? null,
      captions: captions.data,
    },
  });
}

/** The decoded length if it is known to be shorter: some containers only estimate the duration. */
function secondsOf(probe: MediaProbe, audio: AudioStream, { heard: decoded = 0 }: SourceFacts): number {
  const stated = probe.duration === null ? decoded : soundSeconds(probe, audio, probe.duration);
  return decoded > 0 && decoded < stated - 0.05 ? decoded : stated;
}

function sceneOf(
  input: VisualizeInput,
  visual: { width: number; height: number },
  rate: FrameRate,
  frames: number,
  lufs: number | null,
): Scene {
  const margin = 2 * Math.round((Math.min(visual.width, visual.height) * GLOW) / 2);
  return {
    style: input.style,
    width: visual.width + 2 * margin,
    height: visual.height + 2 * margin,
    margin,
    rate: [rate.numerator, rate.denominator],
    frames,
    bars: input.bars,
    smoothing: input.smoothing,
    gainDb: lufs === null ? 0 : Math.min(MOST_GAIN, Math.max(LEAST_GAIN, DRAWN_LUFS - lufs)),
    opacity: input.opacity,
    sampleRate: SAMPLE_RATE,
  };
}
