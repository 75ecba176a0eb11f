import type { Lane, RenderedStretch } from './encode-lane.ts';

/** Encoded bytes that may wait for their turn in the output; lanes then pause, except for the one whose turn it is. */
const MOST_AHEAD = 64 * 1024 * 1024;

/** A stretch, and what is encoded of it but not yet taken. */
interface Entry {
  stretch: RenderedStretch;
  lane: number;
  state: 'waiting' | 'begun' | 'ended';
  packets: Uint8Array[];
}

/** Encodes stretches in several lanes, about in the order in which they are needed, and hands them over in that order. */
export class Lanes {
  readonly #lanes: readonly Lane[];
  readonly #entries: readonly Entry[];
  /** The stretch whose turn it is in the output. */
  #turn = 0;
  /** Bytes that wait. */
  #ahead = 0;
  #failure: { error: unknown } | null = null;
  #closed = false;
  #changed = Promise.withResolvers<void>();
  readonly #workers: readonly Promise<void>[];

  /** @param most Lanes that work at the same time; 0 to encode each stretch when it is needed. */
  constructor(lanes: readonly Lane[], stretches: readonly RenderedStretch[], most: number) {
    this.#lanes = lanes;
    this.#entries = stretches.map((stretch, index) => ({
      ...{ stretch, lane: index % lanes.length, state: 'waiting', packets: [] },
    }));
    this.#workers = Array.from({ length: most }, () => this.#work());
  }

  /** The next stretch. Throws what a lane has thrown. @param onPacket Called in decoding order. */
  async next(onPacket: (data: Uint8Array) => Promise<void>): Promise<void> {
    const entry = this.#entries[this.#turn];
    if (!entry) throw new Error('a stretch is encoded that was not planned');
    if (this.#workers.length === 0) await this.#lanes[entry.lane]?.encode(entry.stretch, onPacket);
    else await this.#taken(entry, onPacket);
    this.#turn += 1;
    this.#change();
  }

  /** Waits for what libav is doing: it must not lose what it works on. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#change();
    await Promise.all(this.#workers);
    for (const lane of this.#lanes) await lane.close();
  }

  async #taken(entry: Entry, onPacket: (data: Uint8Array) => Promise<void>): Promise<void> {
    for (;;) {
      if (this.#failure) throw this.#failure.error;
      const packets = entry.packets.splice(0);
      for (const packet of packets) {
        this.#ahead -= packet.length;
        await onPacket(packet);
      }
      if (packets.length > 0) this.#change();
      else if (entry.state === 'ended') return;
      else await this.#changed.promise;
    }
  }

  /** Begins one stretch after another, until all have begun. */
  async #work(): Promise<void> {
    while (!this.#stopped && this.#entries.some(({ state }) => state === 'waiting')) {
      const entry = this.#startable();
      if (entry) await this.#encode(entry);
      else await this.#changed.promise;
    }
  }

  /** The first stretch that waits for no other one of its lane. If its turn has come, it may not wait for room. */
  #startable(): Entry | undefined {
    const busy = new Set(this.#entries.filter(({ state }) => state === 'begun').map(({ lane }) => lane));
    const entry = this.#entries.find(({ state, lane }) => state === 'waiting' && !busy.has(lane));
    return entry && this.#mayAdd(entry) ? entry : undefined;
  }

  #mayAdd(entry: Entry): boolean {
    return this.#ahead < MOST_AHEAD || entry === this.#entries[this.#turn];
  }

  async #encode(entry: Entry): Promise<void> {
    entry.state = 'begun';
    try {
      await this.#lanes[entry.lane]?.encode(entry.stretch, async (data) => {
        while (!this.#stopped && !this.#mayAdd(entry)) await this.#changed.promise;
        if (this.#stopped) throw new Error('the splice has ended');
        entry.packets.push(data);
        this.#ahead += data.length;
        this.#change();
      });
      entry.state = 'ended';
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#change();
  }

  get #stopped(): boolean {
    return this.#closed || this.#failure !== null;
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
