#!/usr/bin/env node
import { nearestName } from '../../schema/api/nearest-name.ts';
import packageJson from '../package.json' with { type: 'json' };
import { completion, flagNames } from './commands/completion.ts';
import { dev } from './commands/dev.ts';
import { listen } from './commands/listen.ts';
import { login, logout } from './commands/login.ts';
import { checkWords, type OwnCommand } from './commands/own-command.ts';
import { open, rm, tasks, wait } from './commands/tasks.ts';
import { usage } from './commands/usage.ts';
import { exitCodeOf, UsageError } from './exit-codes.ts';
import { flagName, readArguments } from './flags.ts';
import { operationHelp, overviewHelp, ownHelp } from './help.ts';
import { addressOf } from './login-file.ts';
import { commands as operations } from './printed/commands.ts';
import { errorText, reportOf } from './report-error.ts';
import { resultOptions, runOperation, startOptions } from './run-operation.ts';

const own: Record<string, OwnCommand> = {
  login,
  logout,
  tasks,
  wait,
  open,
  rm,
  usage,
  listen,
  dev,
  completion: completion(() => [
    ...operations.map(({ name, summary, flags }) => ({
      name,
      summary,
      flags: [
        ...flags.map(({ field, values = [] }) => ({ name: flagName(field), values })),
        ...flagNames({ ...resultOptions, ...startOptions }).filter(
          ({ name: flag }) => !flags.some(({ field }) => flagName(field) === flag),
        ),
      ],
    })),
    ...Object.entries(own).map(([name, { summary, options }]) => ({
      name,
      summary,
      flags: flagNames(options),
    })),
  ]),
};

async function main([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(name)) {
    const [about] = args;
    return about === undefined ? write(overviewHelp(operations, own)) : main([about, '--help']);
  }
  if (['--version', '-v', 'version'].includes(name)) return write(`${packageJson.version}\n`);
  // `spool frame_last` and `spool frame last` are what the API calls it.
  const operation = operations.find((command) => command.name === name.replaceAll('_', '-'));
  const needsHelp = args.includes('--help') || args.includes('-h');
  if (operation) {
    if (needsHelp) return write(operationHelp(operation, addressOf()));
    return runOperation(operation, args);
  }
  const command = Object.hasOwn(own, name) ? own[name] : undefined;
  if (command && needsHelp) return write(ownHelp(name, command));
  if (name === 'dev') return dev.run([...args], {});
  if (command) {
    const { values, positionals } = readArguments(args, command.options);
    checkWords(name, command, positionals);
    return command.run(positionals, values);
  }
  const other = operations.find(({ otherNames }) => otherNames.includes(name.replaceAll('-', '_')));
  const known = other?.name ?? nearestName(name, [...operations.map((one) => one.name), ...Object.keys(own)]);
  throw new UsageError(
    `There is no command "${name}".${known === null ? '' : ` Did you mean "${known}"?`} See spool --help.`,
  );
}

const write = (text: string) => void process.stdout.write(text);

/** `| head` closes the pipe early, which is no error. */
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

/** The value of `--url`, which operations that have a field of this name take for themselves. */
function urlIn(given: readonly string[]): string | undefined {
  if (operations.some(({ name, flags }) => name === given[0] && flags.some(({ field }) => field === 'url')))
    return undefined;
  const at = given.findIndex((arg) => /^--url(?:=|$)/.test(arg));
  const flag = given[at];
  return flag === '--url' ? given[at + 1] : flag?.slice('--url='.length);
}

const args = process.argv.slice(2);
try {
  await main(args);
} catch (error) {
  const baseUrl = error instanceof UsageError ? undefined : addressOf(urlIn(args));
  const text = args.includes('--json')
    ? `${JSON.stringify({ error: reportOf(error, baseUrl) })}\n`
    : errorText(error, baseUrl);
  process.stderr.write(text);
  process.exitCode = exitCodeOf(error);
}
