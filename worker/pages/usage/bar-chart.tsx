const WIDTH = 720;
const HEIGHT = 160;

interface Bar {
  date: string;
  value: number;
}

/** Bars by day. The tables below the chart have the same numbers, so the picture needs only a short description. */
export function BarChart({
  title,
  bars,
  text,
}: {
  title: string;
  bars: readonly Bar[];
  text: (value: number) => string;
}) {
  const most = Math.max(0, ...bars.map(({ value }) => value));
  const step = WIDTH / bars.length;
  const heightOf = (value: number) => Math.max(1, (value / most) * HEIGHT);
  return (
    <figure class="chart">
      <span>{text(most)}</span>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="chart-title"
      >
        <title id="chart-title">{title}</title>
        {bars.map(({ date, value }, index) =>
          value === 0 ? null : (
            <rect
              x={((index + 0.12) * step).toFixed(2)}
              y={(HEIGHT - heightOf(value)).toFixed(2)}
              width={(step * 0.76).toFixed(2)}
              height={heightOf(value).toFixed(2)}
            >
              <title>{`${date}: ${text(value)}`}</title>
            </rect>
          ),
        )}
      </svg>
      <figcaption>
        <span>{bars[0]?.date}</span>
        <span>{bars.at(-1)?.date}</span>
      </figcaption>
    </figure>
  );
}
