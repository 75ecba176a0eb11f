import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { graphText } from '../../../transcoder/model/filter-text.ts';
import type { Facts, Plan } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { SurveyedPackets } from '../../../transcoder/model/source/surveyed-packets.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { closed } from './plan-graph.ts';
import { means, source } from './sources.ts';

export function planOf(
  name: OperationName,
  request: Record<string, unknown>,
  probe: MediaProbe = source,
  facts: Facts = {},
) {
  const url = 'https://media.example.com/a.mp4';
  const input: Record<string, unknown> = operations[name].input.parse(
    name === 'probe'
      ? { url, ...request }
      : 'audio_url' in request
        ? request
        : { video_url: url, ...request },
  );
  const planner = plannerOf(name);
  const analyses = planner.analyses(input, [probe], means);
  return {
    analyses,
    plan: closed(planner.plan({ input, probes: [probe], facts, ...means }), { facts, analyses }),
  };
}

/** The steps, one line for each part that differs from plan to plan. */
export function linesOf(steps: Plan['steps']): string[] {
  return steps.flatMap((step) => {
    const { kind }: { kind: string } = step;
    if (step.kind === 'splice') {
      const pieces = step.pieces.map((piece) => {
        if (piece.kind === 'file') return `file ${piece.frames}`;
        if (piece.kind === 'drawn') return `draw ${piece.pts.length}`;
        const count = (run: { frames: ArrayLike<number> } | null) => run?.frames.length ?? 0;
        const { head, copy, tail, filters } = piece;
        const through = filters ? ` through ${filters}` : '';
        return `render ${count(head)} copy ${count(copy)} render ${count(tail)} at ${piece.at}${through}`;
      });
      const inputs = step.inputs.map((input) => ('file' in input ? input.file : `source ${input.source}`));
      const turned = step.rotate === undefined ? '' : ` turned by ${step.rotate}`;
      return [`splice ${inputs.join(', ')}${turned}`, ...pieces];
    }
    if (step.kind === 'list')
      return step.entries.map(({ file, seconds }) => `list ${file} ${seconds ?? 'end'}`);
    if (step.kind === 'append') return [`append ${step.parts.join(' ')}`];
    if (step.kind === 'add') return [`add ${step.from} to ${step.file}`];
    if (step.kind === 'document') return ['document'];
    if (step.kind === 'text') return [`text ${step.file}`];
    if (step.kind === 'map') return [`draw ${step.shape} ${step.width} × ${step.height}`];
    if (step.kind === 'depth') return [`depth of ${step.picture}`];
    if (step.kind === 'level') return [`level ${step.file} ${step.lufs}`];
    if (step.kind === 'stretch') return [`stretch ${step.from} to ${step.samples}`];
    if (step.kind === 'backwards') return [`backwards ${step.file}`];
    if (step.kind === 'place') return step.parts.map(({ file, at }) => `place ${file} at ${at}`);
    if (step.kind === 'separate') return [`separate by ${step.engines} into ${step.vocals}, ${step.music}`];
    if (step.kind === 'convert')
      return [
        `convert by ${step.engines} ${step.preset?.pitch ?? 0}+${step.shift.pitch} ${step.preset?.formant ?? 0}+${step.shift.formant}`,
      ];
    if (step.kind === 'headroom') return [`headroom ${step.files}`];
    if (step.kind === 'palette') return [`colors of ${step.style}`];
    if (step.kind === 'rounded') return [`rounded ${step.side} by ${step.radius}`];
    if (step.kind === 'trim') return [`trim ${step.start} to ${step.end}`];
    if (!('chains' in step)) return [kind];
    const inputs = step.inputs.map((input) =>
      'source' in input
        ? `read ${input.source} from ${input.seek === null ? 'the start' : Number(input.seek.toFixed(3))}`
        : 'read own',
    );
    const outputs = step.outputs.map((output) => {
      if (!('video' in output)) return `write ${output.file}`;
      const picture = output.video && ('copy' in output.video.encode ? 'copy' : output.video.encode.encoder);
      const sound = output.audio && (output.audio.encode === 'copy' ? 'copy' : output.audio.encode.encoder);
      return `write ${output.file} ${picture} ${sound}`;
    });
    return [...inputs, ...(step.chains.length > 0 ? [graphText(step.chains)] : []), ...outputs];
  });
}

export const cutSound =
  'aresample=async=1:min_hard_comp=0.01:first_pts=0,aformat=sample_rates=48000:channel_layouts=stereo[a]';

/** The same of a clip whose sound ends with its picture. @param until In seconds. */
export const paddedSound = (until: string) =>
  cutSound.replace('aformat', `apad=whole_dur=${until},asetpts=expr=N/SR/TB,aformat`);

/** A group of pictures every second, without B-frames. */
export const surveyOf = (seconds: number): NonNullable<Facts['survey']> => ({
  parts: [
    SurveyedPackets.of(
      Array.from({ length: seconds * 30 }, (_, frame) => ({
        ...{ pts: frame * 512, dts: frame * 512, duration: 512, hidden: false },
        ...{ key: frame % 30 === 0, entry: frame % 30 === 0 ? ('closed' as const) : null },
      })),
    ),
  ],
  configuration: 'avcC',
  fitting: { profile: 'high', params: 'bframes=0' },
  quantiser: 30,
  unfit: null,
});
