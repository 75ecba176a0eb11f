const WIDTH = 720;
const HEIGHT = 200;
/** Room for the labels of the axes. */
const LEFT = 64;
const BOTTOM = 20;
const TOP = 8;

interface Bar {
  date: string;
  value: number;
}

/** Bars by day. The table below the chart has the same numbers, so the picture needs only a short description. */
export function BarChart({
  title,
  bars,
  text,
}: {
  title: string;
  bars: readonly Bar[];
  text: (value: number) => string;
}) {
  const top = Math.max(0, ...bars.map(({ value }) => value)) || 1;
  const step = (WIDTH - LEFT) / bars.length;
  const width = Math.max(1, step * 0.75);
  const heightOf = (value: number) => (value / top) * (HEIGHT - TOP - BOTTOM);
  const base = HEIGHT - BOTTOM;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <svg class="bars" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby="bars-title">
      <title id="bars-title">{title}</title>
      {[0, 1].map((share) => (
        <>
          <line x1={LEFT} x2={WIDTH} y1={base - heightOf(top * share)} y2={base - heightOf(top * share)} />
          <text x={LEFT - 8} y={base - heightOf(top * share) + 4} text-anchor="end">
            {text(top * share)}
          </text>
        </>
      ))}
      {bars.map(({ date, value }, index) =>
        value === 0 ? null : (
          <rect
            x={(LEFT + index * step + (step - width) / 2).toFixed(1)}
            y={(base - heightOf(value)).toFixed(1)}
            width={width.toFixed(1)}
            height={Math.max(1, heightOf(value)).toFixed(1)}
          >
            <title>{`${date}: ${text(value)}`}</title>
          </rect>
        ),
      )}
      <text x={LEFT} y={HEIGHT - 4}>
        {first?.date}
      </text>
      <text x={WIDTH} y={HEIGHT - 4} text-anchor="end">
        {last?.date}
      </text>
    </svg>
  );
}
