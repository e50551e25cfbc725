import { type FeedStatus, type ProcessStatus, topics } from '../../actors/topics.ts';
import { Cell, type Snapshot } from '../snapshots.ts';

/** A feed's state as `/v1/status` shows it: what its process said, or `silent` when it says nothing any more. */
type ShownStatus = Omit<FeedStatus, 'state'> & { state: FeedStatus['state'] | 'silent' };

/** The answer of `/v1/status`: every source's feeds, and the processes that run. */
export class StatusView {
  readonly #feeds = new Map<string, ShownStatus>();
  readonly #processes = new Map<string, ProcessStatus>();
  readonly #cell = new Cell(() => this.#json());
  #now = 0;

  acceptFeed(key: string, status: FeedStatus): void {
    this.#feeds.set(key, status);
    this.#cell.change();
  }

  acceptProcess(status: ProcessStatus): void {
    this.#processes.set(status.id, status);
    this.#cell.change();
  }

  /**
   * Moves the ages on, marks feeds whose next poll is long overdue as silent and forgets processes that have
   * gone. To be called about every second.
   */
  expire(now: number): void {
    this.#now = now;
    this.#cell.change();
    for (const [key, status] of this.#feeds) {
      const due = status.next_poll ?? status.last_attempt ?? now;
      if (!['silent', 'standby'].includes(status.state) && now - due > topics.status.maxAge) {
        this.#feeds.set(key, { ...status, state: 'silent' });
      }
    }
    for (const [id, { at }] of this.#processes) {
      if (now - at > topics.processes.maxAge) this.#processes.delete(id);
    }
  }

  read(): Snapshot | null {
    return this.#cell.read();
  }

  /** The feeds' states, for `/readyz` and `/metrics`. */
  feeds(): Iterable<ShownStatus> {
    return this.#feeds.values();
  }

  #json(): string {
    const sources: Record<string, { state: string; feeds: Record<string, unknown>[] }> = {};
    for (const { source, ...feed } of this.#feeds.values()) {
      sources[source] ??= { state: 'up', feeds: [] };
      const age_ms = feed.last_success === null ? null : Math.max(0, this.#now - feed.last_success);
      sources[source].feeds.push({ ...feed, age_ms });
    }
    for (const entry of Object.values(sources)) {
      const states = entry.feeds.flatMap(({ state }) => (state === 'standby' ? [] : [state]));
      const up = states.filter((state) => state === 'up').length;
      if (up < states.length) entry.state = up === 0 ? 'down' : 'degraded';
    }
    return JSON.stringify({ sources, processes: [...this.#processes.values()] });
  }
}
