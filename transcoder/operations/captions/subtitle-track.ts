import { srtText } from '../../../schema/media/subtitles.ts';
import type { VideoContainer } from '../../../schema/operations/fields/fields.ts';
import type { Plan } from '../../model/plan.ts';
import type { Render } from '../../model/steps.ts';
import { type CaptionCue, cueText } from './segmentation.ts';

const FILE = 'embedded.srt';

/** Codec of a selectable subtitle track in each container. */
const codecs = { mp4: 'mov_text', mov: 'mov_text', mkv: 'subrip', webm: 'webvtt' } as const;

/** ISO 639-1 to 639-2/T, which containers use. https://www.loc.gov/standards/iso639-2/php/code_list.php */
const languages: Record<string, string> = Object.fromEntries(
  (
    'ar:ara bg:bul bn:ben ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng es:spa et:est eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg ' +
    'gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn ka:kat kk:kaz km:khm kn:kan ko:kor lo:lao lt:lit lv:lav ' +
    'mk:mkd ml:mal mn:mon mr:mar ms:msa mt:mlt my:mya ne:nep nl:nld no:nor pa:pan pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sq:sqi ' +
    'sr:srp sv:swe sw:swa ta:tam te:tel th:tha tl:tgl tr:tur uk:ukr ur:urd uz:uzb vi:vie zh:zho'
  )
    .split(' ')
    .map((pair) => pair.split(':')),
);

/** From a BCP 47 tag. */
function languageCode(tag: string | null): string {
  const [primary = ''] = tag?.split('-') ?? [];
  return primary.length === 3 ? primary : (languages[primary] ?? 'und');
}

/** Adds the captions to a plan as a subtitle track. */
export function withTrack(
  plan: Plan,
  cues: readonly CaptionCue[],
  { format, language }: { format: VideoContainer; language: string | null },
): Plan {
  if (cues.length === 0) return plan;
  const timed = cues.map((cue) => ({ start: cue.start, end: cue.end, text: cueText(cue) }));
  const codec = codecs[format];
  const track = { codec, language: languageCode(language) };
  const steps = plan.steps.map((step): Plan['steps'][number] => {
    if (step.kind === 'splice') return { ...step, text: { ...track, cues: timed } };
    return step.kind === 'render' && step.outputs.some(isVideo) ? rendered(step, track) : step;
  });
  const media = plan.expect.media.map((each) => ({ ...each, text: { codec } }));
  return {
    ...plan,
    ...(plan.otherwise ? { otherwise: withTrack(plan.otherwise, cues, { format, language }) } : {}),
    steps: [{ kind: 'text', file: FILE, text: srtText(timed) }, ...steps],
    expect: { ...plan.expect, media },
  };
}

type Output = Render['outputs'][number];

const isVideo = (output: Output) => 'video' in output && output.video !== null;

function rendered(step: Render, track: { codec: (typeof codecs)[VideoContainer]; language: string }): Render {
  const text = { from: `${step.inputs.length}:0`, ...track };
  return {
    ...step,
    inputs: [...step.inputs, { subtitles: FILE }],
    outputs: step.outputs.map((output) => ('video' in output && output.video ? { ...output, text } : output)),
  };
}
