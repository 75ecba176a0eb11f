import { durationText } from './duration.js';

// Follows a task, and shows its page again when it has ended.
const { events: address } = document.querySelector('[data-events]')?.dataset ?? {};
const statuses = { queued: 'Queued', processing: 'Running' };

/** A browser does not repeat a request for events that was refused, such as while the service is away. */
const PAUSE_MS = 3000;
const MOST_REFUSALS = 20;
let refusals = 0;

function follow() {
  const source = new EventSource(address);
  source.addEventListener('open', () => {
    refusals = 0;
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return;
    refusals++;
    if (refusals > MOST_REFUSALS) location.reload();
    else setTimeout(follow, PAUSE_MS);
  });
  source.addEventListener('task.updated', ({ data }) => show(JSON.parse(data)));
  for (const name of ['task.completed', 'task.failed', 'task.deleted']) {
    source.addEventListener(name, () => {
      source.close();
      location.reload();
    });
  }
}

if (address) follow();

function show({ status, stage, progress_percent, eta_seconds, queue_position }) {
  document.querySelector('[data-progress]').value = progress_percent;
  const badge = document.querySelector('[data-status]');
  const detail = status === 'queued' ? queue_position && `number ${queue_position}` : stage;
  badge.textContent = detail ? `${statuses[status]}: ${detail}` : statuses[status];
  badge.className = `badge ${status}`;
  document.querySelector('[data-doing]').textContent = [
    status === 'queued' ? null : `${Math.floor(progress_percent)} %`,
    eta_seconds === null ? null : `about ${durationText(Math.max(1, Math.round(eta_seconds)))} left`,
  ]
    .filter((part) => part !== null)
    .join(', ');
  const items = [...document.querySelectorAll('[data-stage]')];
  const at = items.findIndex((item) => item.dataset.stage === stage);
  items.forEach((item, index) => {
    item.className = index < at ? 'done' : index === at ? 'current' : 'open';
    item.querySelector('.state').textContent = index < at ? 'done' : index === at ? 'now' : 'not reached';
    if (index === at) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  });
}
