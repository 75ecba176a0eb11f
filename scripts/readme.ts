/** Generates the tables of operations, engines and settings in README.md from their definitions. */
import { readFile, writeFile } from 'node:fs/promises';
import { type EngineCapability, engineIds, engineOf } from '../schema/media/engines.ts';
import { operationNames, operations } from '../schema/operations/index.ts';
import { variables } from '../transcoder/env.ts';
import { settings } from '../worker/env.ts';

interface Setting {
  name: string;
  /** The default, as Markdown. */
  fallback: string;
  doc: string;
}

const readmeFile = new URL('../README.md', import.meta.url);

const shown = (fallback: string | null) =>
  fallback === null ? '**required**' : fallback === '' ? '' : `\`${fallback}\``;

const settingTables: Record<string, Setting[]> = {
  worker: Object.entries(settings).map(([name, entry]) => ({
    name,
    fallback: shown(entry.default),
    doc: entry.doc,
  })),
  transcoder: Object.values(variables).map((entry) => ({
    name: entry.env,
    fallback: entry.env === 'WORK_DIR' ? 'the temporary directory' : shown(entry.default ?? null),
    doc: entry.doc,
  })),
};

function tableText(rows: Setting[]): string {
  const lines = rows.map(
    ({ name, fallback, doc }) => `| \`${name}\` | ${fallback} | ${doc.replaceAll('|', '\\|')} |`,
  );
  return ['| variable | default | |', '|---|---|---|', ...lines].join('\n');
}

function operationsText(): string {
  const lines = operationNames.map(
    (name) => `| \`${operations[name].path}\` | ${operations[name].summary} |`,
  );
  return ['| operation | result |', '|---|---|', ...lines].join('\n');
}

const work: Record<EngineCapability, string> = {
  asr: 'recognizing speech',
  diarize: 'telling speakers apart',
  align: 'times of words',
  tts: 'speaking a text',
  voice_convert: 'changing a voice',
  separate: 'separating vocals and music',
  depth: 'depth of photos',
  vad: 'detecting speech',
};

function enginesText(): string {
  const lines = engineIds.map((id) => {
    const { title, capabilities, install, get } = engineOf(id);
    return `| ${title} | ${capabilities.map((capability) => work[capability]).join(', ')} | ${install ?? get} |`;
  });
  return ['| engine | for | to have it |', '|---|---|---|', ...lines].join('\n');
}

/** Each table with the comments that surround it. */
const tables = [
  { begin: '<!-- operations -->\n', end: '\n<!-- end of operations -->', content: operationsText() },
  { begin: '<!-- engines -->\n', end: '\n<!-- end of engines -->', content: enginesText() },
  ...Object.entries(settingTables).map(([name, rows]) => ({
    begin: `<!-- settings of the ${name} -->\n`,
    end: '\n<!-- end of settings -->',
    content: tableText(rows),
  })),
];

/** Replaces the tables between their markers. Throws if a marker is missing. */
export function withTables(text: string): string {
  let result = text;
  for (const { begin, end, content } of tables) {
    const from = result.indexOf(begin);
    const to = result.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`README.md lacks ${begin.trim()} or ${end.trim()}`);
    result = result.slice(0, from + begin.length) + content + result.slice(to);
  }
  return result;
}

if (import.meta.main) await writeFile(readmeFile, withTables(await readFile(readmeFile, 'utf8')));
