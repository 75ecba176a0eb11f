/** A POST request as a curl command. */
export function curlPost(publicUrl: string, path: string, body: unknown): string {
  const quoted = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl ${publicUrl}${path} \\
  -H "X-API-Key: $SPOOL_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${quoted}'`;
}

/** The same as TypeScript. */
export function typeScriptPost(publicUrl: string, path: string, body: unknown): string {
  const literal = JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
  return `const response = await fetch(${JSON.stringify(publicUrl + path)}, {
  method: 'POST',
  headers: {
    'X-API-Key': process.env.SPOOL_API_KEY ?? '',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${literal}),
});
if (!response.ok) throw new Error(await response.text());
const task = await response.json();
console.log(task.status_url);`;
}

/** The same as Python, with the package requests. */
export function pythonPost(publicUrl: string, path: string, body: unknown): string {
  return `import os
import requests

response = requests.post(
    ${JSON.stringify(publicUrl + path)},
    headers={"X-API-Key": os.environ["SPOOL_API_KEY"]},
    json=${pythonLiteral(body, '    ')},
)
response.raise_for_status()
task = response.json()
print(task["status_url"])`;
}

/** A JSON value as Python. A string of JSON is a string of Python as well. */
function pythonLiteral(value: unknown, indent: string): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}    `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const entries = Array.isArray(value)
    ? value.map((entry) => pythonLiteral(entry, deeper))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${pythonLiteral(entry, deeper)}`);
  if (entries.length === 0) return open + close;
  return `${open}\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}${close}`;
}
