import { greatest } from '../../../model/numbers/min-max.ts';
import type { Chain, Render, Step } from '../../../model/steps.ts';
import { endOf, seekBefore } from '../frame-selection.ts';
import { renderSamples } from '../raw-audio.ts';
import { clipSound } from './clip-sound.ts';
import type { Sound } from './sound-parts.ts';

/** Most ranges read in one run: each is an input with its own threads. */
const TOGETHER = 16;

/** Steps that write the samples of ranges, end to end. */
export function rangeSteps(sound: Sound): Step[] {
  const { probe, stream, clips } = sound;
  const groups = Array.from({ length: Math.ceil(clips.length / TOGETHER) }, (_, index) => index);
  const part = (group: number) => `ranges${group}.raw`;
  return [
    ...groups.map((group): Render => {
      const own = clips.slice(group * TOGETHER, (group + 1) * TOGETHER);
      const from = own[0]?.out ?? 0;
      const seconds = (own.at(-1)?.outEnd ?? 0) - from;
      const chains = own.flatMap((clip, at): Chain[] =>
        clipSound(sound, [clip]).map((chain) => ({
          ...chain,
          from: chain.from.map(() => `${at}:${stream.index}`),
          to: [`s${at}`],
        })),
      );
      const concat = { name: 'concat', options: { n: own.length, v: 0, a: 1 } };
      return renderSamples(part(group), {
        inputs: own.map(({ start, end, out }) => {
          const begin = probe.origin + start;
          const zero = begin - (out - from);
          return { source: 0, seek: seekBefore(probe, begin), end: endOf(probe, { end }), zero };
        }),
        chains: [...chains, { from: own.map((_, at) => `s${at}`), filters: [concat], to: ['a'] }],
        ...{ from: 'a', seconds, weight: seconds / 10, lead: greatest(own.map(({ start }) => start)) },
      });
    }),
    { kind: 'append', file: 'sound.raw', parts: groups.map(part) },
  ];
}
