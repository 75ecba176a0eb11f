import { UsageError } from '../exit-codes.ts';
import { flagName } from '../flags.ts';
import type { OwnCommand } from './own-command.ts';

/** What can follow a command. */
export interface Completable {
  name: string;
  summary: string;
  flags: { name: string; values: readonly string[] }[];
}

const shells: Record<string, (commands: readonly Completable[]) => string> = { bash, zsh, fish };

export const completion = (commands: () => readonly Completable[]): OwnCommand => ({
  parameters: Object.keys(shells).join('|'),
  most: 1,
  summary: 'Print the completion of commands and flags for a shell.',
  details: 'Add the line below to the start-up file of your shell.',
  options: {},
  examples: [
    'source <(spool completion bash)',
    'source <(spool completion zsh)',
    'spool completion fish | source',
  ],
  run: async ([shell = '']) => {
    const print = shells[shell];
    if (!print) throw new UsageError(`Give a shell: ${Object.keys(shells).join(', ')}.`);
    process.stdout.write(print(commands()));
  },
});

/** Without an answer of the function, the shell completes names of files, and quotes what is special in them. */
function bash(commands: readonly Completable[]): string {
  const cases = commands.map(
    ({ name, flags }) => `    ${name}) flags="${flags.map((flag) => flag.name).join(' ')}" ;;`,
  );
  const values = commands.flatMap(({ name, flags }) =>
    flags
      .filter((flag) => flag.values.length > 0)
      .map(
        (flag) =>
          `    ${name}:${flag.name}) COMPREPLY=($(compgen -W "${flag.values.join(' ')}" -- "$word")); return ;;`,
      ),
  );
  return `_spool() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "$command:$before" in
${values.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
  esac
}
complete -o bashdefault -o default -F _spool spool
`;
}

function zsh(commands: readonly Completable[]): string {
  const described = commands.map(({ name, summary }) => `'${name}:${escaped(summary)}'`).join(' ');
  const cases = commands.map(({ name, flags }) => {
    const specs = flags.map(
      (flag) => `'${flag.name}[]${flag.values.length > 0 ? `:value:(${flag.values.join(' ')})` : ''}'`,
    );
    return `    ${name}) _arguments ${specs.join(' ')} '*:file:_files' ;;`;
  });
  return `#compdef spool
_spool() {
  local -a commands
  commands=(${described})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _spool spool
`;
}

function fish(commands: readonly Completable[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c spool -n "not __fish_seen_subcommand_from ${names}" -f -a ${name} -d '${escaped(summary)}'`,
    ...flags.map(
      (flag) =>
        `complete -c spool -n "__fish_seen_subcommand_from ${name}" -l ${flag.name.slice(2)}${flag.values.length > 0 ? ` -x -a '${flag.values.join(' ')}'` : ''}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

const escaped = (text: string) => text.replaceAll("'", '’').replaceAll(':', ' -');

export const flagNames = (options: object) =>
  Object.keys(options).map((name) => ({ name: flagName(name), values: [] }));
