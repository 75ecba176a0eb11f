import { jsonText } from './text/json-text.ts';

/** A POST request as a curl command. */
export function curlPost(publicUrl: string, path: string, body: unknown): string {
  const quoted = jsonText(body).replaceAll("'", "'\\''");
  return `curl ${publicUrl}${path} \\
  -H "X-API-Key: $SPOOL_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${quoted}'`;
}

/** The same as TypeScript, for Node, Deno or Bun: waits for the end of the task. */
export function typeScriptPost(publicUrl: string, path: string, body: unknown): string {
  const literal = jsonText(body).replaceAll('\n', '\n  ');
  return `const headers = {
  'X-API-Key': process.env.SPOOL_API_KEY ?? '',
  'Content-Type': 'application/json',
};
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const call = async (url: string, init?: RequestInit) => {
  for (;;) {
    const response = await fetch(url, { ...init, headers });
    if (response.ok) return response.json();
    if (response.status !== 429) throw new Error(await response.text());
    await pause(Number(response.headers.get('Retry-After') ?? 1));
  }
};

let task = await call(${JSON.stringify(publicUrl + path)}, {
  method: 'POST',
  body: JSON.stringify(${literal}),
});
while (task.status === 'queued' || task.status === 'processing') {
  await pause(1);
  task = await call(\`\${task.status_url}?wait_seconds=20\`);
}
console.log(task.output?.file_url ?? task.plan ?? task.error);`;
}

/** The same as Python, with the package requests. */
export function pythonPost(publicUrl: string, path: string, body: unknown): string {
  return `import os
import time
import requests

session = requests.Session()
session.headers["X-API-Key"] = os.environ["SPOOL_API_KEY"]


def call(method, url, **options):
    while True:
        response = session.request(method, url, **options)
        if response.ok:
            return response.json()
        if response.status_code != 429:
            raise SystemExit(response.text)
        time.sleep(int(response.headers.get("Retry-After", 1)))


task = call(
    "POST",
    ${JSON.stringify(publicUrl + path)},
    json=${pythonLiteral(body, '    ')},
)
while task["status"] in ("queued", "processing"):
    time.sleep(1)
    task = call("GET", task["status_url"], params={"wait_seconds": 20})
print(task["output"]["file_url"] if task["output"] else task["plan"] or task["error"])`;
}

/** The same as an agent sends it to `/mcp`. */
export function mcpCall(tool: string, body: unknown): string {
  return jsonText({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: body } });
}

/** A JSON value as Python. A string of JSON is a string of Python as well. */
function pythonLiteral(value: unknown, before: string): string {
  const literal = (one: unknown) => {
    if (one === true) return 'True';
    if (one === false) return 'False';
    return one === null || one === undefined ? 'None' : JSON.stringify(one);
  };
  return jsonText(value, { literal, indent: '    ', space: '', trailing: true }, before);
}
