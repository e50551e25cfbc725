import { mostApart } from '../../actors/kernel/clock.ts';
import {
  type BudgetStatus,
  type FeedReport,
  type FeedStatus,
  historyStore,
  type ProcessReport,
  type ProcessStatus,
  removedRows,
  topics,
} from '../../actors/topics/index.ts';
import * as latencies from '../../indicators/market/latencies.ts';
import { Source } from '../answers/source.ts';
import { budgetsOf } from './budgets.ts';

/** The state of a feed for `/v1/status`: that of its process, or `silent` when the process no longer reports. */
type ShownStatus = Omit<FeedStatus, 'state'> & {
  state: FeedStatus['state'] | 'silent';
  event_latency_ms?: latencies.LatencyQuantiles;
};
/** The feeds of one source; `age_ms` is the time since the last success. */
interface SourceStatus {
  state: 'up' | 'degraded' | 'down';
  delivery_ms?: latencies.LatencyQuantiles;
  feeds: (Omit<ShownStatus, 'source'> & { age_ms: number | null })[];
}

/** Whether a feed counts neither as up nor as down: it is not needed now, or it trades nothing. */
export const isIdle = ({ state }: Pick<ShownStatus, 'state'>): boolean =>
  state === 'standby' || state === 'closed';

/** A process without what only the metrics show. */
const shown = ({
  cpu_s,
  leaves,
  deliveries,
  caches,
  upstreams,
  budgets,
  disk,
  damaged,
  alerts,
  ...status
}: ProcessReport): ProcessStatus => status;

/** The answer of `/v1/status`: every source's feeds, and the processes that run. */
export class StatusView {
  readonly #feeds = new Map<string, ShownStatus>();
  readonly #processes = new Map<string, ProcessReport>();
  readonly source = new Source();
  #now = 0;

  acceptFeed(key: string, { tally, ...status }: FeedReport): void {
    const latency = latencies.latencyQuantiles(tally?.events ?? {});
    this.#feeds.set(key, { ...status, ...(latency && { event_latency_ms: latency }) });
    this.source.change();
  }

  acceptProcess(report: ProcessReport): void {
    this.#processes.set(report.id, report);
    this.source.change();
  }

  /**
   * Updates the ages, marks feeds whose next poll is long overdue as silent and forgets processes that have ended. Call
   * it about every second.
   */
  expire(now: number): void {
    this.#now = now;
    this.source.change();
    for (const [key, status] of this.#feeds) {
      const due = status.next_poll ?? status.last_attempt ?? now;
      if (!['silent', 'standby'].includes(status.state) && now - due > topics.status.maxAge) {
        this.#feeds.set(key, { ...status, state: 'silent', reason: null });
      }
    }
    for (const { source, topic, part } of removedRows(this.#feeds.values(), now))
      this.#feeds.delete(`${source}/${topic}/${part}`);
    for (const [id, { at }] of this.#processes) {
      if (now - at > topics.processes.maxAge) this.#processes.delete(id);
    }
  }

  /** The feeds' states, for `/readyz` and `/metrics`. */
  feeds(): Iterable<ShownStatus> {
    return this.#feeds.values();
  }

  /** Whether a process of this role gives signs of life. */
  runs(role: ProcessStatus['role']): boolean {
    return [...this.#processes.values()].some((one) => one.role === role);
  }

  /** The store of recorded series: `down` without a process that keeps it. */
  history(): { state: 'up' | 'failing' | 'down'; problem: string | null } {
    const store = this.#feeds.get(historyStore);
    if (!this.runs('history') || store === undefined) return { state: 'down', problem: null };
    const state = store.state === 'up' ? 'up' : 'failing';
    return { state, problem: store.last_error?.message ?? null };
  }

  /** The signs of life of the processes that run, for `/metrics`. */
  processes(): readonly ProcessReport[] {
    return [...this.#processes.values()];
  }

  /** Why a rule of an alert is not evaluated, as far as processes have said so: `not_running` without any of the role; null where it is. */
  alertFault(id: string): string | null {
    const reports = this.processes().flatMap(({ alerts }) => alerts ?? []);
    if (reports.length === 0) return 'not_running';
    for (const { faulty = {} } of reports) if (Object.hasOwn(faulty, id)) return faulty[id] ?? null;
    return null;
  }

  /** Each host whose clock is wrong, by what one of its processes says. */
  wrongClocks(): { host: string; ahead_ms: number }[] {
    const wrong = new Map<string, number>();
    for (const { host, clock_ahead_ms: ahead = 0 } of this.#processes.values())
      if (Math.abs(ahead) > mostApart) wrong.set(host, ahead);
    return [...wrong].map(([host, ahead_ms]) => ({ host, ahead_ms }));
  }

  /** How long values of the last minute or two took from their receipt to the clients of streams, by source, over all processes. */
  deliveries(): Map<string, latencies.LatencyQuantiles> {
    const all = this.processes().flatMap(({ deliveries = {} }) => Object.entries(deliveries));
    const bySource = Map.groupBy(all, ([name]) => name.slice(0, name.indexOf('/')));
    const found = new Map<string, latencies.LatencyQuantiles>();
    for (const [source, counts] of bySource) {
      const sum = latencies.latencyQuantiles(latencies.sumOfCounts(counts.map(([, one]) => one)));
      if (sum !== null) found.set(source, sum);
    }
    return found;
  }

  /** The state of every source, the processes that run, and the budgets that they use. */
  current(): {
    sources: Record<string, SourceStatus>;
    processes: ProcessStatus[];
    budgets: BudgetStatus[];
  } {
    const sources: Record<string, SourceStatus> = {};
    for (const { source, ...feed } of this.#feeds.values()) {
      sources[source] ??= { state: 'up', feeds: [] };
      const age_ms = feed.last_success === null ? null : Math.max(0, this.#now - feed.last_success);
      sources[source].feeds.push({ ...feed, age_ms });
    }
    const deliveries = this.deliveries();
    for (const [source, entry] of Object.entries(sources)) {
      const delivery_ms = deliveries.get(source);
      if (delivery_ms) entry.delivery_ms = delivery_ms;
      const counted = entry.feeds.filter((feed) => !isIdle(feed));
      const up = counted.filter(({ state }) => state === 'up').length;
      if (up < counted.length) entry.state = up === 0 ? 'down' : 'degraded';
    }
    const processes = this.processes();
    return { sources, processes: processes.map(shown), budgets: budgetsOf(processes, this.#now) };
  }
}
