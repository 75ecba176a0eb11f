/** A value, or the items of a list as they come. */
export type Part = { name: string; value: unknown } | { name: string; items: AsyncIterable<unknown> };

/** A JSON object with these members, written as it is read. An item is never in memory longer than it takes to send it. */
export function jsonStream(parts: AsyncIterable<Part>): ReadableStream {
  const encoder = new TextEncoder();
  const chunks = textOf(parts);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

async function* textOf(parts: AsyncIterable<Part>): AsyncGenerator<string, void, undefined> {
  let open = '{\n';
  for await (const part of parts) {
    const name = `${open}${JSON.stringify(part.name)}: `;
    open = ',\n';
    if ('value' in part) yield name + JSON.stringify(part.value);
    else {
      yield `${name}[`;
      let between = '\n';
      for await (const item of part.items) {
        yield between + JSON.stringify(item);
        between = ',\n';
      }
      yield ']';
    }
  }
  yield '\n}\n';
}
