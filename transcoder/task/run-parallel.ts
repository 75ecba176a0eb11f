/**
 * Runs the given functions concurrently. The first failure aborts the others and is thrown once all have ended: nothing
 * is still running, or holding a file open, afterwards.
 */
export async function runParallel<const W extends readonly ((signal: AbortSignal) => Promise<unknown>)[]>(
  signal: AbortSignal,
  works: W,
): Promise<{ -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> }> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  let first: { error: unknown } | undefined;
  const values = await Promise.all(
    works.map(async (work) => {
      try {
        return await work(either);
      } catch (error) {
        first ??= { error };
        failed.abort(error);
        return undefined;
      }
    }),
  );
  if (first) throw first.error;
  return values as { -readonly [I in keyof W]: Awaited<ReturnType<W[I]>> };
}
