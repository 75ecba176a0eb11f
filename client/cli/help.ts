import type { OwnCommand } from './commands/own-command.ts';
import { exitCodes } from './exit-codes.ts';
import { type Command, flagName, type Options } from './flags.ts';
import { resultOptions, startOptions } from './run-operation.ts';

const WIDTH = 100;

const column = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.min(32, Math.max(...rows.map(([name]) => name.length)));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${wrap(text, width + 4)}`).join('\n');
};

/** Breaks a text into lines; all but the first begin at this column. */
function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > WIDTH - indent) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

export function overviewHelp(
  operations: readonly Command[],
  own: Readonly<Record<string, OwnCommand>>,
): string {
  return `Spool: media processing

  spool <operation> FILE|URL… [flags] [-o FILE]

Operations
${column(operations.map(({ name, summary }) => [name, summary]))}

Other commands
${column(Object.entries(own).map(([name, { parameters, summary }]) => [`${name} ${parameters}`.trim(), summary]))}

  spool <command> --help shows its flags. SPOOL_URL and SPOOL_API_KEY take precedence over \`spool login\`.

Exit codes
${column(Object.values(exitCodes).map(({ code, doc }) => [String(code), doc]))}
`;
}

const flagRows = (options: Options) =>
  Object.entries(options).map(([option, { type, short, about = '' }]): readonly [string, string] => [
    `${short ? `-${short}, ` : ''}--${option}${type === 'string' ? ' …' : ''}`,
    about,
  ]);

export function operationHelp(command: Command, baseUrl: string): string {
  const { name, summary, flags, required, examples } = command;
  const rows = flags.map(({ field, type, boolean, list, description }): readonly [string, string] => [
    `${flagName(field)}${boolean ? '' : ' …'}`,
    `${description}${required.includes(field) ? ' Required.' : ''} (${type}${list ? '; can be repeated' : ''})`,
  ]);
  return `${summary}

${examples.map(({ title, line }) => `  # ${title}\n  ${line}\n`).join('')}
Flags of the operation. A source is a file, a URL, task:<id> or upload:<id>; one without a flag
goes to the first flag for media. A value in braces or brackets is JSON, and @FILE is the text of a file.
${column(rows)}

Flags of the command
${column(flagRows({ ...resultOptions, ...startOptions }))}

More: ${baseUrl}/docs/operations/${name}
`;
}

export function ownHelp(
  name: string,
  { parameters, summary, details, options, examples }: OwnCommand,
): string {
  const flags = flagRows(options);
  return `${summary}

  ${`spool ${name} ${parameters}`.trim()}
${details === '' ? '' : `\n${wrap(details, 0)}\n`}${flags.length > 0 ? `\nFlags\n${column(flags)}\n` : ''}
Examples
${examples.map((example) => `  ${example}`).join('\n')}
`;
}
