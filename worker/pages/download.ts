/** A file that the browser saves. `name` has only letters, digits, dots and hyphens. */
export function download(name: string, type: string, body: string | ReadableStream): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    },
  });
}
