import type { IncomingMessage } from 'node:http';
import { type Span, Spans } from '../model/source/byte-ranges.ts';
import { TaskFailure } from '../model/task-failure.ts';
import { collectLatest } from '../process/collect-garbage.ts';
import type { Origin } from './origin.ts';
import { changed, PartialFile } from './partial-file.ts';
import { Flight } from './range-in-flight.ts';
import { bodyOf } from './range-response.ts';
import { type Pace, received, securityPace, truncated } from './response-body.ts';
import { withRetries } from './retry-read.ts';
import { type Edition, merged, sameEdition } from './validators.ts';

export interface SparseOptions {
  signal: AbortSignal;
  /** Path of the local file. */
  path: string;
  limitBytes: number;
  pace?: Pace | undefined;
  /** Counts the traffic of all sources of an attempt. */
  traffic?: Traffic | undefined;
  /** Called whenever bytes arrive, with the number received and the total, if known. */
  onArrival?: ((arrived: number, bytes: number | null) => void) | undefined;
}

export interface Traffic {
  /** Body bytes received. */
  bytes: number;
  requests: number;
}

/** Holes closer together than this are fetched as one. */
const NEAR = 256 * 1024;
/** Received bytes after which their buffers are collected. */
const COLLECTED_BYTES = 8 * 1024 * 1024;

/**
 * A local copy of a remote file of which only parts have been fetched. Each part is fetched once, however many readers
 * wait for it. The first failure is permanent: every later request fails with it.
 */
export class SparseFile {
  readonly path: string;
  #origin: Origin;
  #options: SparseOptions;
  #file: PartialFile;
  #closing = new AbortController();
  #edition: Edition = { bytes: null, etag: null, modified: null };
  #flights = new Set<Flight>();
  #sinceCollected = 0;
  #failed: { error: unknown } | null = null;
  #ranged = false;

  private constructor(origin: Origin, options: SparseOptions, file: PartialFile) {
    this.path = options.path;
    this.#origin = origin;
    this.#options = options;
    this.#file = file;
  }

  /** Requests the first bytes. If the origin does not support ranges, the whole file arrives. Throws TaskFailure. */
  static async open(origin: Origin, first: number, options: SparseOptions): Promise<SparseFile> {
    const file = new SparseFile(origin, options, await PartialFile.create(options.path));
    try {
      await file.#fly([0, first]).reaches(1);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Size of the file. Null until all of it has arrived, if the origin does not announce it. */
  get bytes(): number | null {
    return this.#edition.bytes;
  }

  /** Whether the origin supports ranges. */
  get ranged(): boolean {
    return this.#ranged;
  }

  /** Number of bytes that have arrived. */
  get arrived(): number {
    return this.#file.spans.size;
  }

  get complete(): boolean {
    return this.bytes !== null && this.arrived === this.bytes;
  }

  /** The parts that have arrived, in ascending order. */
  get present(): Span[] {
    return this.#file.spans.list();
  }

  around(at: number): Span | null {
    return this.#file.spans.around(at);
  }

  /** The first bytes of a range that have neither arrived nor been requested, or null. */
  hole(span: Span): Span | null {
    const known = new Spans(this.#file.spans.list());
    for (const { at, to } of this.#flights) known.add([at, to ?? Number.POSITIVE_INFINITY]);
    return known.missing(span)[0] ?? null;
  }

  /** Starts fetching these bytes. Use `need` to wait for them. */
  fetch(span: Span): void {
    if (!this.#failed) this.#fly(span);
  }

  /** Resolves when these bytes have arrived, as far as the file has them. Throws TaskFailure. */
  async need(span: Span): Promise<void> {
    for (;;) {
      if (this.#failed) throw this.#failed.error;
      const [from, to] = [span[0], Math.min(span[1], this.bytes ?? span[1])];
      const [hole] = this.#file.spans.missing([from, to]);
      if (!hole) return;
      const flight = this.#bringing(hole[0]) ?? this.#fly(this.hole(hole) ?? hole);
      await flight.reaches(hole[1]);
      if (this.bytes === null && this.#flights.size === 0) return;
    }
  }

  /** Fetches everything that is missing with few requests. Throws TaskFailure. */
  async whole(): Promise<void> {
    for (;;) {
      const missing = this.bytes === null ? [] : this.#file.spans.missing([0, this.bytes]);
      const [first, ...others] = missing;
      if (!first) break;
      let [from, to] = first;
      for (const [low, high] of others) if (low - to < NEAR) to = high;
      if (!this.#bringing(from)) this.fetch([from, to]);
      await this.need([from, to]);
    }
    await this.need([0, this.bytes ?? Number.MAX_SAFE_INTEGER]);
  }

  read(span: Span): Promise<Buffer> {
    return this.#file.read(span);
  }

  /** Aborts every transfer. Later requests fail. */
  async close(): Promise<void> {
    this.#failed ??= { error: new Error('the source is closed') };
    this.#closing.abort(this.#failed.error);
    await Promise.all([...this.#flights].map(({ landed }) => landed));
    this.#origin.close();
    await this.#file.close();
  }

  #bringing(position: number): Flight | undefined {
    return [...this.#flights].find((flight) => flight.brings(position));
  }

  #fly(span: Span): Flight {
    const flight = new Flight(span);
    this.#flights.add(flight);
    const end = (failed: { error: unknown } | null) => {
      this.#flights.delete(flight);
      this.#failed ??= failed;
      flight.end(failed);
    };
    this.#transfer(flight, span).then(
      () => end(null),
      (error: unknown) => end({ error }),
    );
    return flight;
  }

  async #transfer(flight: Flight, span: Span): Promise<void> {
    const ending = AbortSignal.any([this.#options.signal, this.#closing.signal]);
    await withRetries(ending, async (tries, repeated) => {
      if (repeated && flight.to !== null && flight.at >= flight.to) return;
      const { signal } = tries;
      const response = await this.#answer(flight, repeated ? this.#restOf(flight) : span, signal);
      try {
        for await (const chunk of received(response, this.#options.pace ?? securityPace, signal)) {
          const fresh = await this.#store(flight, chunk);
          tries.brought(fresh);
          tries.repeated(chunk.length - fresh);
          this.#sinceCollected += chunk.length;
          if (this.#sinceCollected < COLLECTED_BYTES) continue;
          this.#sinceCollected = 0;
          collectLatest();
        }
        if (flight.to !== null && flight.at < flight.to) throw truncated();
        if (flight.to === null) this.#judge({ bytes: flight.at, etag: null, modified: null });
      } finally {
        response.destroy();
      }
    });
  }

  /**
   * The range to request after a failure: from the position reached, if the origin can prove that it is the same file;
   * otherwise all of it.
   */
  #restOf({ at, to }: Flight): Span | null {
    const { etag, modified } = this.#edition;
    const known = this.#ranged || this.arrived === 0 || etag !== null || modified !== null;
    return to === null || !known ? null : [at, to];
  }

  /** The response to a request for these bytes, or for the whole file if the origin does not support ranges. */
  async #answer(flight: Flight, span: Span | null, signal: AbortSignal): Promise<IncomingMessage> {
    for (const range of span ? [span, null] : [null]) {
      const response = await this.#request(range, signal);
      try {
        const body = bodyOf(response, range);
        if (body) {
          this.#judge(body.edition);
          [flight.at, flight.to] = body.span;
          this.#ranged = response.statusCode === 206;
          if (body.edition.bytes !== null) await this.#file.truncate(body.edition.bytes);
          return response;
        }
      } catch (error) {
        response.destroy();
        throw error;
      }
      response.destroy();
    }
    throw new TaskFailure('source_http_error', 'The source did not return the requested byte range.');
  }

  #request(range: Span | null, signal: AbortSignal): Promise<IncomingMessage> {
    const { traffic } = this.#options;
    if (traffic) traffic.requests += 1;
    return this.#origin.answer(range, signal);
  }

  #judge(edition: Edition): void {
    if (!sameEdition(this.#edition, edition)) throw changed();
    this.#edition = merged(this.#edition, edition);
    this.#limit(edition.bytes ?? 0);
  }

  #limit(bytes: number): void {
    const { limitBytes } = this.#options;
    if (bytes <= limitBytes) return;
    throw new TaskFailure(
      'source_too_large',
      `The source is larger than ${limitBytes} bytes, the limit of your plan.`,
    );
  }

  /** @returns the number of new bytes. */
  async #store(flight: Flight, chunk: Buffer): Promise<number> {
    const { traffic, onArrival } = this.#options;
    const from = flight.at;
    if (traffic) traffic.bytes += chunk.length;
    this.#limit(from + chunk.length);
    if (flight.to !== null && from + chunk.length > flight.to) {
      throw new TaskFailure('source_http_error', 'The source sent more bytes than requested.', {
        retryable: false,
      });
    }
    const fresh = await this.#file.put(chunk, from);
    flight.advance(chunk.length);
    onArrival?.(this.arrived, this.bytes);
    return fresh;
  }
}
