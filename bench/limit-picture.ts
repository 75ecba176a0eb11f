/** CPU seconds of the same span, by three ways. */
export interface Bars {
  label: string;
  ours: number;
  copy: number;
  encode: number;
}

const [WIDTH, LEFT, RIGHT, TOP, BAR, GROUP] = [760, 90, 90, 64, 16, 74];
const ways = [
  ['copy', 'ffmpeg -c copy: the limit, not exact'],
  ['ours', 'Spool: exact to the frame'],
  ['encode', 'libx264 veryfast: everything encoded'],
] as const;

/** An SVG of horizontal bars, on a logarithmic scale of CPU seconds. */
export function limitPicture(title: string, rows: readonly Bars[]): string {
  const values = rows.flatMap(({ ours, copy, encode }) => [ours, copy, encode]);
  const from = Math.floor(Math.log10(Math.min(...values)));
  const to = Math.ceil(Math.log10(Math.max(...values)));
  const at = (value: number) => LEFT + ((Math.log10(value) - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * GROUP + 34;
  const decades = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const lines = decades.map((value) => {
    const x = at(value).toFixed(1);
    return [
      `<line class="grid" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${height - 28}"/>`,
      `<text class="tick" x="${x}" y="${height - 12}" text-anchor="middle">${value} s</text>`,
    ].join('');
  });
  const bars = rows.flatMap((row, index) => {
    const y = TOP + index * GROUP;
    return [
      `<text x="${LEFT - 10}" y="${y + 1.5 * BAR + 7}" text-anchor="end">${row.label}</text>`,
      ...ways.map(([way], nth) => bar(way, at(row[way]), y + nth * (BAR + 3), row[way])),
    ];
  });
  const legend = ways.map(
    ([way, text], index) =>
      `<rect class="${way}" x="${LEFT + index * 215}" y="34" width="10" height="10"/><text class="tick" x="${LEFT + index * 215 + 15}" y="43">${text}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${title}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1b1f24 } .tick { font-size: 11px; fill: #57606a }
.grid { stroke: #d0d7de } .copy { fill: #8c959f } .ours { fill: #0969da } .encode { fill: #d4a72c } .page { fill: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .tick { fill: #9198a1 } .grid { stroke: #3d444d } .page { fill: #0d1117 } }
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
<text x="${LEFT}" y="20">${title}</text>
${[...legend, ...lines, ...bars].join('\n')}
</svg>
`;
}

function bar(way: string, x: number, y: number, value: number): string {
  const width = Math.max(1, x - LEFT).toFixed(1);
  const text = value < 10 ? value.toFixed(2) : value.toFixed(0);
  return `<rect class="${way}" x="${LEFT}" y="${y}" width="${width}" height="${BAR}"/><text class="tick" x="${(x + 6).toFixed(1)}" y="${y + 12}">${text}</text>`;
}
