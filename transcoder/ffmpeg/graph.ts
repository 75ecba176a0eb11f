import type { Chain, Filter } from './step.ts';

/** The text of a filter graph. https://ffmpeg.org/ffmpeg-filters.html#Notes-on-filtergraph-escaping */
export function graphText(chains: readonly Chain[]): string {
  return chains.map(chainText).join(';');
}

function chainText(chain: Chain): string {
  const labels = (names: string[]) => names.map((name) => `[${name}]`).join('');
  const filters = chain.filters.length > 0 ? chain.filters.map(filterText).join(',') : 'null';
  return `${labels(chain.from)}${filters}${labels(chain.to)}`;
}

export function filterText(filter: Filter): string {
  const options = Object.entries(filter.options ?? {}).map(([name, value]) => `${name}=${escaped(value)}`);
  return options.length > 0 ? `${filter.name}=${options.join(':')}` : filter.name;
}

/** Once for the option's value, once for the graph. */
function escaped(value: string | number): string {
  const option = String(value).replace(/[\\':]/g, (character) => `\\${character}`);
  return option.replace(/[\\'[\],;]/g, (character) => `\\${character}`);
}
