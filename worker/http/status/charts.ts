import { html } from 'hono/html';
import type { OverheadDay, StatusDay } from '../../../schema/api/status.ts';
import type { Html } from '../docs/shell.ts';

const BAR = { width: 3, gap: 1, height: 30 };
const CHART = { width: 900, height: 120 };

function dayText({ day, probes, failed }: StatusDay): string {
  if (probes === 0) return `${day}: no probes`;
  return `${day}: ${failed === 0 ? 'no' : failed} of ${probes} probes failed`;
}

function levelOf({ probes, failed }: StatusDay): string {
  if (probes === 0) return 'none';
  if (failed === 0) return 'good';
  return failed / probes < 0.05 ? 'some' : 'bad';
}

/** A bar a day. */
export function dayBars(title: string, days: readonly StatusDay[]): Html {
  const step = BAR.width + BAR.gap;
  const bad = days.filter(({ failed }) => failed > 0).length;
  const missing = days.filter(({ probes }) => probes === 0).length;
  const label = `${title}, ${days.length} days: ${bad} with failed probes, ${missing} without probes`;
  return html`<svg class="bars" viewBox="0 0 ${days.length * step - BAR.gap} ${BAR.height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${days.map(
  (day, index) =>
    html`<rect x="${index * step}" width="${BAR.width}" height="${BAR.height}" class="${levelOf(day)}"><title>${dayText(day)}</title></rect>`,
)}</svg>`;
}

/** p50 and p95 by day, and the same as a table. */
export function overheadChart(overhead: readonly OverheadDay[], days: readonly string[]): Html {
  const highest = Math.max(...overhead.map(({ p95_ms }) => p95_ms), 1);
  const line = (value: (day: OverheadDay) => number) =>
    overhead.map((day) => {
      const x = ((days.indexOf(day.day) + 0.5) / days.length) * CHART.width;
      const y = CHART.height - (value(day) / highest) * (CHART.height - 8) - 4;
      return { x: Math.round(x), y: Math.round(y) };
    });
  // The first point twice: a line of one point is not drawn.
  const drawn = (name: string, points: { x: number; y: number }[]) =>
    html`<polyline class="${name}" points="${[...points.slice(0, 1), ...points].map(({ x, y }) => `${x},${y}`).join(' ')}"/>`;
  const last = overhead.at(-1);
  return html`<p><span class="key p50"></span> half of them: at most <b>${last?.p50_ms} ms</b>.
<span class="key p95"></span> 95 %: at most <b>${last?.p95_ms} ms</b>. (${last?.day})</p>
<svg class="overhead" viewBox="0 0 ${CHART.width} ${CHART.height}" preserveAspectRatio="none" role="img" aria-label="Overhead of the last ${days.length} days, at most ${highest} ms">
${drawn(
  'p95',
  line(({ p95_ms }) => p95_ms),
)}
${drawn(
  'p50',
  line(({ p50_ms }) => p50_ms),
)}
</svg>
<p class="scale"><span>${days[0]}</span><span>highest: ${highest} ms</span><span>today</span></p>
<details><summary>As a table</summary>
<table><thead><tr><th scope="col">Day</th><th scope="col">p50</th><th scope="col">p95</th></tr></thead>
<tbody>
${overhead.toReversed().map(
  ({ day, p50_ms, p95_ms }) => html`<tr><td>${day}</td><td>${p50_ms} ms</td><td>${p95_ms} ms</td></tr>
`,
)}</tbody></table>
</details>`;
}
