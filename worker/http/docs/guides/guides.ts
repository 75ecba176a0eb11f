import type { DocPage } from '../pages/doc-page.ts';
import { type Block, code, markdown } from '../print/block.ts';
import assembleClips from './assemble-clips.md';
import cleanAPodcast from './clean-a-podcast.md';
import cutAndCaption from './cut-and-caption-a-talk.md';
import dubWithAScript from './dub-with-a-script.md';
import runOnASchedule from './run-on-a-schedule.md';
import uploadAFile from './upload-a-file.md';
import verifyAWebhook from './verify-a-webhook.md';
import verticalShort from './vertical-short.md';

interface Guide extends DocPage {
  /** Its Markdown, with the addresses of the examples. */
  text: string;
}

/** Shell functions that the steps of a guide use. They have no comments, which zsh does not know in pasted lines. */
const functions = `run() {
  local answer=$(curl -sS "https://spool.example.com$1" -H "X-API-Key: $SPOOL_API_KEY" \\
    -H 'Content-Type: application/json' -d "$2")
  local task=$(echo "$answer" | sed -n 's/.*"id":"\\(task_[^"]*\\)".*/\\1/p')
  if [ -z "$task" ]; then echo "$answer" >&2; return 1; fi
  until show "$task" | grep -E '"status":"(completed|failed)"|"request_id"' > /dev/null; do sleep 1; done
  echo "$task"
  if ! show "$task" | grep '"status":"completed"' > /dev/null; then show "$task" >&2; return 1; fi
}
show() {
  curl -sS "https://spool.example.com/task/$1?wait_seconds=55" -H "X-API-Key: $SPOOL_API_KEY"
}
save() {
  curl -sS --fail "https://spool.example.com/task/$1/download\${3:+?file=$3}" -H "X-API-Key: $SPOOL_API_KEY" -o "$2"
}`;

const preparation: Block[] = [
  markdown(
    'Set `SPOOL_API_KEY` to [your key](/docs/keys), and paste these functions into the same terminal. `run` sends a request to a path, waits for the task to end and prints its id. `show` prints a task, after at most 55 seconds. `save` downloads the main file of a task, or its file with a role:',
  ),
  code('sh', 'For the steps below', functions),
];

/** A guide's title and first paragraph become the title and the summary of its page. */
function guide(name: string, text: string): Guide {
  const [title = '', lead = '', ...rest] = text.trim().split('\n\n');
  const steps = rest.join('\n\n');
  const prepared = /\$\(run /.test(steps) ? preparation : [];
  return {
    path: `/docs/guides/${name}`,
    title: title.replace('# ', ''),
    summary: lead,
    text,
    body: () => [markdown(lead), ...prepared, markdown(steps)],
  };
}

export const guides: readonly Guide[] = [
  guide('cut-and-caption-a-talk', cutAndCaption),
  guide('vertical-short', verticalShort),
  guide('clean-a-podcast', cleanAPodcast),
  guide('dub-with-a-script', dubWithAScript),
  guide('assemble-clips', assembleClips),
  guide('upload-a-file', uploadAFile),
  guide('run-on-a-schedule', runOnASchedule),
  guide('verify-a-webhook', verifyAWebhook),
];
