import { type OperationName, operations } from '../../schema/operations/index.ts';

/** The first documented request of an operation, with local files in place of the URLs of its sources. */
export function exampleRequest(
  name: OperationName,
  { video, still }: { video: string; still: string },
): Record<string, unknown> {
  const [example] = operations[name].examples;
  const local = (url: string) => (/\.(png|jpe?g|webp)$/.test(url) ? still : video);
  const text = JSON.stringify(example?.input);
  return JSON.parse(text.replace(/https:\/\/media\.example\.com\/[^"]+/g, local));
}
