import { connect } from '../login-file.ts';
import { jsonOption, type OwnCommand, printJson, printTable, serviceOption } from './own-command.ts';

export const usage: OwnCommand = {
  parameters: '',
  most: 0,
  summary: 'Show your plan, what runs now, and what was used.',
  details: 'The last 30 days, or the days from --from to --to (UTC).',
  options: {
    ...serviceOption,
    ...jsonOption,
    from: { type: 'string', about: 'First day, such as 2026-11-01.' },
    to: { type: 'string', about: 'Last day.' },
  },
  examples: ['spool usage', 'spool usage --from 2026-11-01 --to 2026-11-30'],
  run: async (_, { url, json, from, to }) => {
    const spool = connect(url as string | undefined);
    const days = {
      ...(from === undefined ? {} : { from: String(from) }),
      ...(to === undefined ? {} : { to: String(to) }),
    };
    const [account, used] = await Promise.all([spool.account(), spool.usage(days)]);
    if (json) return void printJson({ account, usage: used });
    const { completed, failed, source_seconds, output_seconds, processing_seconds, bytes_stored } =
      used.totals;
    printTable([
      ['plan', account.plan],
      ['period', `${used.from} to ${used.to}`],
      ['tasks', `${completed} completed, ${failed} failed`],
      ['sources', minutes(source_seconds)],
      ['results', `${minutes(output_seconds)}, ${(bytes_stored / 1e6).toFixed(1)} MB`],
      ['machine time', minutes(processing_seconds)],
    ]);
  },
};

const minutes = (seconds: number) =>
  seconds < 120 ? `${seconds.toFixed(1)} s` : `${(seconds / 60).toFixed(1)} min`;
