import { join } from 'node:path';

/**
 * The text shown when the service is ready. Every command works as is when pasted into a shell.
 * @param {object} facts
 * @param {import('./service.mjs').Service} facts.service
 * @param {import('./paths.mjs').Instance} facts.instance
 * @param {Record<'basic' | 'boost' | 'elite', string>} facts.keys
 * @param {string | null} facts.mediaOrigin
 * @param {string} facts.after
 * @param {boolean} facts.watches
 */
export function readyText({ service, instance, keys, mediaOrigin, after, watches }) {
  const { baseUrl, sampleUrl, dashboardUrl, signInUrl, outboxUrl, stripeUrl } = service;
  const key = `-H 'X-API-Key: ${keys.elite}'`;
  const body = JSON.stringify({ video_url: sampleUrl, start: 1.5, duration: 5 });
  const saved = join(instance.dir, 'task.json');
  const task = `"$(sed 's/.*"status_url":"\\([^"]*\\)".*/\\1/' '${saved}')`;
  return `
Spool is ready (after ${after})

  address   ${baseUrl}
  docs      ${baseUrl}/docs
  dashboard ${dashboardUrl}
            (signs you in as the owner of the seeded accounts, once; it lasts 30 days in that browser)
  sign up   ${signInUrl}
            (as a stranger: the mail with the code is at ${outboxUrl})
  payments  ${stripeUrl}
            (a stand-in for Stripe, with a clock to advance; no money moves)
  key       ${keys.elite}
            (plan elite; one for every plan and the address: ${instance.devFile})
${mediaOrigin ? `  media     ${mediaOrigin}/<file name>\n` : ''}${watches ? '  reloads   the Worker, and the transcoder on a change in transcoder/, schema/ or guard/\n' : ''}
Cut five seconds out of the sample:

curl -sS '${baseUrl}/cut' ${key} -H 'Content-Type: application/json' -d '${body}' | tee '${saved}'

See how that task is doing, and fetch the result once it is completed:

curl -sS ${key} ${task}"
curl -sS ${key} -o cut.mp4 ${task}/download"

Logs: ${instance.logs}. Ctrl-C stops everything.`;
}
