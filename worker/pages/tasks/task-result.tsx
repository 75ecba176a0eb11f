import type { Task, TaskOutput, TaskPlan } from '../../../schema/task/task.ts';
import type { StoredFile } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { beginningOf, isText } from '../../services/files/file-text.ts';
import { bytesText, durationText } from '../words.ts';
import { FilePreview, ownAddress } from './file-preview.tsx';
import { ResultData } from './result-data.tsx';
import { TimeMapBar } from './time-map-bar.tsx';

/** Texts that are shown; the other ones are links. */
const SHOWN_TEXTS = 3;
/** Players and pictures that are shown. */
const SHOWN_MEDIA = 12;

/** What a task made, or would make. */
export async function ResultOf(context: Context, row: TaskView, task: Task) {
  if (task.plan) return <PlanResult plan={task.plan} />;
  const { output, expires_at } = task;
  if (!output) return null;
  const isThere = row.filesRemovedAt === null && expires_at !== null && Date.parse(expires_at) > Date.now();
  return (
    <section aria-labelledby="result">
      <h2 id="result">Result</h2>
      {isThere ? (
        await Files(context, row.result?.files ?? [], output)
      ) : (
        <p>Its files have expired and were deleted.</p>
      )}
      <p class="hint">{factsText(output, output.file_size)}</p>
      <TimeMapBar output={output} />
      <ResultData data={output.data} />
    </section>
  );
}

async function Files(context: Context, stored: readonly StoredFile[], { files, file_name }: TaskOutput) {
  const texts = new Map(
    await Promise.all(
      stored
        .filter(isText)
        .slice(0, SHOWN_TEXTS)
        .map(async (file) => [file.role, await beginningOf(context, file)] as const),
    ),
  );
  const named = files.map((file, index) => ({ ...file, name: stored[index]?.file_name ?? file_name }));
  const subtitles = files.find(({ media_type }) => media_type === 'text/vtt');
  const captions = subtitles ? ownAddress(subtitles.url) : null;
  const isShown = ({ role, media_type }: (typeof named)[number], index: number) =>
    texts.get(role) != null || (index < SHOWN_MEDIA && /^(?:video|audio|image)\//.test(media_type));
  return (
    <>
      {named.filter(isShown).map((file) => (
        <FilePreview file={file} text={texts.get(file.role) ?? null} captions={captions} />
      ))}
      <ul class="rows">
        {named.map(({ role, url, media_type, file_size, name }) => (
          <li>
            <span>
              <a href={ownAddress(url)} download={name}>
                {name}
              </a>{' '}
              <span class="hint">
                {role}, {media_type}, {bytesText(file_size)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function factsText({ duration, width, height, fps }: TaskOutput | TaskPlan, size?: number): string {
  return [
    duration === null ? null : durationText(duration),
    width === null || height === null ? null : `${width} × ${height}`,
    fps === null ? null : `${Math.round(fps * 100) / 100} frames per second`,
    size === undefined ? null : bytesText(size),
  ]
    .filter((fact) => fact !== null)
    .join(', ');
}

function PlanResult({ plan }: { plan: TaskPlan }) {
  return (
    <section aria-labelledby="result">
      <h2 id="result">What it would make</h2>
      <p>This was a dry run, which makes no files. Without it, the files are:</p>
      <ul>
        {plan.files.map(({ file_name, media_type, role }) => (
          <li>
            {file_name}{' '}
            <span class="hint">
              {role}, {media_type}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint">{factsText(plan)}</p>
      <h3>Sources</h3>
      <ol>
        {plan.sources.map(({ container, duration, file_size, video, audio }) => (
          <li>
            {[
              container,
              duration === null ? null : durationText(duration),
              bytesText(file_size),
              video && `${video.codec} ${video.width} × ${video.height}`,
              audio && `${audio.codec} ${audio.sample_rate} Hz`,
            ]
              .filter((fact) => fact !== null)
              .join(', ')}
          </li>
        ))}
      </ol>
      <TimeMapBar output={plan} />
      <ResultData data={plan.data} />
    </section>
  );
}
