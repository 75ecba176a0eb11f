import type { Chain, Filter } from './steps.ts';

/** Formats a filter graph in ffmpeg's syntax. https://ffmpeg.org/ffmpeg-filters.html#Notes-on-filtergraph-escaping */
export function graphText(chains: readonly Chain[]): string {
  return chains.map(chainText).join(';');
}

function chainText(chain: Chain): string {
  const labels = (names: string[]) => names.map((name) => `[${name}]`).join('');
  return `${labels(chain.from)}${filtersText(chain.filters)}${labels(chain.to)}`;
}

/** Formats consecutive filters in ffmpeg's syntax. */
export function filtersText(filters: readonly Filter[]): string {
  return filters.length > 0 ? filters.map(filterText).join(',') : 'null';
}

export function filterText(filter: Filter): string {
  const options = Object.entries(filter.options ?? {}).map(([name, value]) => `${name}=${escaped(value)}`);
  return options.length > 0 ? `${filter.name}=${options.join(':')}` : filter.name;
}

/** Escapes twice: for the option's value, then for the graph. */
function escaped(value: string | number): string {
  const option = String(value).replace(/[\\':]/g, (character) => `\\${character}`);
  return option.replace(/[\\'[\],;]/g, (character) => `\\${character}`);
}
