import type { Analysis, Facts, SourceFacts } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { MediaSource } from '../../model/source/media-source.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { AnalysisConditions, Analyzer } from './analyzer.ts';
import { levels } from './audio-levels.ts';
import { contents } from './contents.ts';
import { pictures } from './frames-at.ts';
import { survey } from './gop-survey.ts';
import { lettersOf } from './letters.ts';
import { loudness } from './loudness.ts';
import { packets } from './packets.ts';
import { speakers } from './speakers.ts';
import { display } from './still-display.ts';
import { subject } from './subject.ts';
import { speak } from './synthesize-speech.ts';
import { tail } from './tail.ts';
import { texts } from './text-tracks.ts';
import { words } from './transcribe.ts';
import { voice } from './voice.ts';

type OfSource = Exclude<Analysis, { kind: 'speech' | 'letters' }>;

const analyzers: { [K in OfSource['kind']]: Analyzer<Extract<OfSource, { kind: K }>> } = {
  ...{
    contents,
    display,
    levels,
    loudness,
    packets,
    pictures,
    speakers,
    subject,
    survey,
    tail,
    texts,
    voice,
    words,
  },
};

interface AnalyzeRequest extends AnalysisConditions {
  probes: readonly MediaProbe[];
  sources: readonly MediaSource[];
}

/**
 * Runs the analyses that a planner asked for.
 * @param before Facts from earlier analyses; they are kept.
 */
export async function analyze(
  ctx: MediaContext,
  analyses: readonly Analysis[],
  { probes, sources, ...conditions }: AnalyzeRequest,
  before: Facts = {},
): Promise<Facts> {
  const found: SourceFacts[] = sources.map((_, index) => ({ ...before.sources?.[index] }));
  let { speech, letters } = before;
  for (const analysis of analyses) {
    if (analysis.kind === 'speech') {
      speech = await speak(ctx, analysis, speech, conditions);
      continue;
    }
    if (analysis.kind === 'letters') continue;
    const source = sources[analysis.source];
    const probe = probes[analysis.source];
    const facts = found[analysis.source];
    if (!source || !probe || !facts)
      throw new Error(`an analysis reads source ${analysis.source}, which does not exist`);
    // The analyzer of a kind accepts that kind's analyses, which an indexed access type cannot express.
    const analyzer = analyzers[analysis.kind] as Analyzer<OfSource>;
    Object.assign(facts, await analyzer(ctx, analysis, { source, probe, facts }, conditions));
  }
  // Last, because a font of the caller stays open for planning.
  for (const analysis of analyses)
    if (analysis.kind === 'letters') letters = await lettersOf(ctx, analysis, conditions);
  return {
    ...{ ...found[0], sources: found },
    ...(speech ? { speech } : {}),
    ...(letters ? { letters } : {}),
  };
}
