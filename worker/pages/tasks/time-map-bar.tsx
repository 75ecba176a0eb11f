import type { TimeMap } from '../../../schema/task/task.ts';
import { clockText } from '../words.ts';

/** Width of the drawing in its own units; it is stretched to the page. */
const WIDTH = 1000;
const BAR = 18;
const GAP = 34;
/** Spans and sources that are drawn; a cut of hundreds is no longer legible. */
const MOST_SPANS = 300;
const MOST_SOURCES = 6;
const COLOURS = 6;

interface Mapped {
  duration: number | null;
  data: Record<string, unknown>;
  time_map: TimeMap;
}

interface Joint {
  at: number;
  duration: number;
  type: string;
}

/** The joints of a merge, or of any operation that reports them in the same form. */
function jointsOf({ joints }: Record<string, unknown>): Joint[] {
  if (!Array.isArray(joints)) return [];
  return joints.flatMap((joint: unknown) => {
    if (typeof joint !== 'object' || joint === null) return [];
    const { at, duration, type } = joint as Record<string, unknown>;
    if (typeof at !== 'number') return [];
    return [{ at, duration: typeof duration === 'number' ? duration : 0, type: String(type ?? 'joint') }];
  });
}

/** Which span of which source each span of the output shows: the sources above, the output below. */
export function TimeMapBar({ output }: { output: Mapped }) {
  const spans = output.time_map;
  const end = spans.reduce((latest, { out }) => Math.max(latest, out[1]), output.duration ?? 0);
  if (spans.length === 0 || end <= 0) return null;
  const joints = jointsOf(output.data);
  const ends = new Map<number, number>();
  for (const span of spans) ends.set(span.source, Math.max(span.in[1], ends.get(span.source) ?? 0));
  const ownBars = ends.size <= MOST_SOURCES ? ends : new Map<number, number>();
  const longest = Math.max(end, ...ownBars.values());
  return (
    <section class="time-map" aria-labelledby="time-map">
      <h3 id="time-map">Times</h3>
      {spans.length <= MOST_SPANS ? (
        <Drawing spans={spans} joints={joints} ends={ownBars} longest={longest} />
      ) : null}
      <p class="scale">
        <span>{clockText(0)}</span>
        <span>{clockText(longest)}</span>
      </p>
      <Numbers spans={spans} joints={joints} />
    </section>
  );
}

interface Drawn {
  spans: TimeMap;
  joints: Joint[];
  /** The end of each source that has a bar of its own; empty if only the output has one. */
  ends: Map<number, number>;
  /** Seconds that the whole width stands for. */
  longest: number;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

function Drawing({ spans, joints, ends, longest }: Drawn) {
  const sources = [...ends.keys()].sort((a, b) => a - b);
  const x = (seconds: number) => Math.round((seconds / longest) * WIDTH * 100) / 100;
  const top = (source: number) => sources.indexOf(source) * (BAR + 6);
  const below = sources.length === 0 ? 0 : sources.length * (BAR + 6) + GAP;
  const height = below + BAR;
  const label = `${sources.length > 0 ? 'Sources above, output below. ' : ''}${counted(spans.length, 'span')}, ${counted(joints.length, 'joint')}; the table has the numbers.`;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      class={`rows-${sources.length}`}
    >
      {sources.map((source) => (
        <rect class="whole" x={0} y={top(source)} width={x(ends.get(source) ?? 0)} height={BAR} />
      ))}
      {ends.size === 0
        ? null
        : spans.map(({ source, in: [from, to], out: [start, stop] }) => (
            <polygon
              class={`link c${source % COLOURS}`}
              points={`${x(from)},${top(source) + BAR} ${x(to)},${top(source) + BAR} ${x(stop)},${below} ${x(start)},${below}`}
            />
          ))}
      {ends.size === 0
        ? null
        : spans.map(({ source, in: [from, to] }) => (
            <rect
              class={`c${source % COLOURS}`}
              x={x(from)}
              y={top(source)}
              width={x(to - from)}
              height={BAR}
            />
          ))}
      {spans.map(({ source, out: [start, stop] }) => (
        <rect class={`c${source % COLOURS}`} x={x(start)} y={below} width={x(stop - start)} height={BAR} />
      ))}
      {joints.map(({ at, duration }) => (
        <rect class="joint" x={x(at)} y={below - 4} width={Math.max(2, x(duration))} height={BAR + 4} />
      ))}
    </svg>
  );
}

function Numbers({ spans, joints }: Pick<Drawn, 'spans' | 'joints'>) {
  return (
    <details>
      <summary>
        The times in numbers ({counted(spans.length, 'span')}
        {joints.length > 0 ? `, ${counted(joints.length, 'joint')}` : ''})
      </summary>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Time in the source</th>
              <th scope="col">Time in the output</th>
            </tr>
          </thead>
          <tbody>
            {spans.slice(0, MOST_SPANS).map(({ source, in: [from, to], out: [start, stop] }) => (
              <tr>
                <td>{source + 1}</td>
                <td>
                  {clockText(from)} – {clockText(to)}
                </td>
                <td>
                  {clockText(start)} – {clockText(stop)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {joints.length === 0 ? null : (
        <ul>
          {joints.slice(0, MOST_SPANS).map(({ at, duration, type }) => (
            <li>
              {type} at {clockText(at)}, {duration} s
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
