/** How long values took on their way, out of the messages of a stream. */

/** The latencies of the values of one name, ms. */
export interface Latencies {
  /** From the time that the exchange states to the service's receipt; a value without a stated time has none. */
  toService: number[];
  /** From the service's receipt to the client's. */
  toClient: number[];
}

/** Times in answers that are smaller are seconds. */
const leastMs = 1e11;

const msOf = (value: unknown): number | null =>
  typeof value === 'number' && value > leastMs ? value : null;

/** Takes each value of a stream once: when its `updated_at` is a new one. */
export class Samples {
  /** By the member under which a value stands, such as its exchange. */
  readonly byName = new Map<string, Latencies>();
  readonly #seen = new Map<string, number>();

  /** Takes the data of a message that the client received at `received`, Unix ms of the service's clock. */
  take(data: unknown, received: number, name = '', path = ''): void {
    if (typeof data !== 'object' || data === null) return;
    const members = Object.entries(data);
    const times = new Map<string, unknown>(members);
    const updated = msOf(times.get('updated_at'));
    if (updated !== null && this.#isNews(path, updated))
      this.#add(name, { stated: msOf(times.get('venue_time')), updated, received });
    for (const [key, value] of members)
      this.take(value, received, Array.isArray(data) ? name : key, `${path}/${key}`);
  }

  /** The age of the first value of a path says nothing of its way. */
  #isNews(path: string, updated: number): boolean {
    const before = this.#seen.get(path) ?? Number.POSITIVE_INFINITY;
    this.#seen.set(path, updated);
    return updated > before;
  }

  #add(name: string, at: { stated: number | null; updated: number; received: number }): void {
    const known = this.byName.get(name);
    const own = known ?? { toService: [], toClient: [] };
    if (!known) this.byName.set(name, own);
    if (at.stated !== null) own.toService.push(at.updated - at.stated);
    own.toClient.push(at.received - at.updated);
  }
}
