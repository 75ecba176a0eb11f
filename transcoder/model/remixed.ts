import type { Warning } from '../../schema/task/task.ts';
import type { Remixed } from './encoding.ts';
import { countText } from './numbers/count-text.ts';
import type { Plan } from './plan.ts';
import type { Step } from './steps.ts';

/** Such as `7 channels (6.1)`. */
export const channelsText = ({ channels, layout }: Remixed['from']): string =>
  `${countText(channels, 'channel')}${layout === null ? '' : ` (${layout})`}`;

const codecNames = {
  ...{ aac: 'AAC', mp3: 'MP3', opus: 'Opus', vorbis: 'Vorbis', flac: 'FLAC', pcm: 'PCM' },
} satisfies Record<Remixed['codec'], string>;

/** A plan and its fallback, each with a warning for every sound that is encoded in another layout. */
export function withRemixed(plan: Plan): Plan {
  const mixed = new Set(plan.steps.flatMap(encodingsOf).map(detailOf));
  const warnings = [...mixed].map((detail): Warning => ({ code: 'channels_mixed', detail }));
  return {
    ...plan,
    warnings: [...plan.warnings, ...warnings],
    ...(plan.otherwise ? { otherwise: withRemixed(plan.otherwise) } : {}),
  };
}

function encodingsOf(step: Step): Remixed[] {
  if (step.kind !== 'render' && step.kind !== 'mix') return [];
  return step.outputs.flatMap((output) => {
    const encode = 'audio' in output ? output.audio?.encode : undefined;
    return encode && encode !== 'copy' && encode.remixed ? [encode.remixed] : [];
  });
}

function detailOf({ from, to, codec, whole }: Remixed): string {
  const made = whole
    ? `They are kept in ${to}, whose other channels are silent.`
    : `They were mixed to ${to}.`;
  return `The sound has ${channelsText(from)}, which ${codecNames[codec]} cannot hold as they are. ${made}`;
}
