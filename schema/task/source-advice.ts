import { idPattern } from './ids.ts';

const upload =
  'Upload a file of your own first (`POST /uploads`, or the MCP tool `create_upload`), and use `upload:<upload_id>`.';

/** Beginnings of addresses that lead to no file on the web. */
const otherAddresses: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:\$\{?[a-z_]|\{\{|%[a-z_]+%$|<)/i,
    'This placeholder was not replaced by a value. A shell does not expand variables between single quotes.',
  ],
  [
    /^https?:\/\/(?:localhost|127\.[\d.]{1,11}|\[::1\]|0\.0\.0\.0|host\.docker\.internal)(?:[:/?#]|$)/i,
    upload,
  ],
  [/^(?:file|data|blob|content):/i, upload],
  [/^(?:[a-z]:[\\/]|~?\/(?!\/)|\.{1,2}[\\/]|\\\\)/i, upload],
  [/^(?:s3|gs|r2|az|abfss?|wasbs?):/i, 'Give an https:// link to the object, such as a presigned URL.'],
];

const mediaName =
  /^[^/\\:]{1,200}\.(?:mp4|mov|mkv|webm|avi|m4v|mp3|wav|m4a|flac|ogg|opus|aac|jpe?g|png|webp|gif|srt|vtt|ass)$/i;
const withoutScheme = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?\//i;
/** The address of an upload or a task, with any prefix or none. */
const named = /^(?:(?:task|upload):)?(?<id>(?:task|upl)_[0-9a-z]{26})$/;

/** What to do about a text that cannot be a source; null if nothing can be said. Its URL is not repeated with a query. */
export function sourceAdvice(text: string): string | null {
  if (text.length > 4096) return null;
  const id = named.exec(text)?.groups?.id;
  if (id !== undefined) return `Did you mean \`${storedSourceText(id)}\`?`;
  if (text.trim() !== text) return 'Remove the spaces around it.';
  const kind = /^(task|upload):/.exec(text)?.[1];
  if (kind !== undefined)
    return `After \`${kind}:\` comes an id: \`${kind === 'task' ? 'task_' : 'upl_'}\` and 26 letters and digits.`;
  if (text.startsWith('//')) return 'Put https: before it.';
  const other = otherAddresses.find(([begins]) => begins.test(text));
  if (other) return other[1];
  if (/\s/.test(text)) return 'Write spaces as %20.';
  if (withoutScheme.test(text)) return 'Put https:// before it.';
  return mediaName.test(text) ? upload : null;
}

/** The source that an id of a task or upload stands for. */
const storedSourceText = (id: string) => `${idPattern('task').test(id) ? 'task' : 'upload'}:${id}`;

const ownPath = /^\/(?:task|uploads)\/(?<id>(?:task|upl)_[0-9a-z]{26})(?:\/download)?$/;

/** The stored source that an address of this service stands for; null for any other address. */
export function ownSource(text: string, publicUrl: string): string | null {
  if (!URL.canParse(text) || !URL.canParse(publicUrl)) return null;
  const { origin, pathname } = new URL(text);
  const id = origin === new URL(publicUrl).origin ? ownPath.exec(pathname)?.groups?.id : undefined;
  return id === undefined ? null : storedSourceText(id);
}
