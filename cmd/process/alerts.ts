/** The process that evaluates alert rules and delivers what they fire. Several of them share the rules. */
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { type AlertCounts, type AlertRule, topics as forms } from '../../actors/topics/index.ts';
import { Lanes } from '../../alerts/delivery/lanes.ts';
import { Queues } from '../../alerts/delivery/queues.ts';
import { Sender } from '../../alerts/delivery/sender.ts';
import { shardOf } from '../../alerts/rules/shards.ts';
import { RuleStore } from '../../alerts/store/rule-store.ts';
import { Shards } from '../../alerts/store/shards.ts';
import { StateStore } from '../../alerts/store/state-store.ts';
import { Engine } from '../../http/alerts/engine.ts';
import { type AlertFront, alertFront } from './alert-front.ts';
import { checksOf } from './checks.ts';
import { startHeartbeat } from './heartbeat.ts';
import { needRedis, type ProcessContext, processId } from './process.ts';
import { openRedis } from './redis-servers.ts';
import { runRole } from './role.ts';

/** Which processes of the role give signs of life. */
class Fellows {
  readonly #seen = new Map<string, number>();

  accept({ id, role, at }: { id: string; role: string; at: number }): void {
    if (role === 'alerts') this.#seen.set(id, at);
  }

  /** Itself among them, as soon as it has said so. */
  count(): number {
    const since = clock.now() - forms.processes.maxAge;
    for (const [id, at] of this.#seen) if (at < since) this.#seen.delete(id);
    return this.#seen.size;
  }
}

/** Most rules that a process names as those that cannot be evaluated. */
const mostNamed = 1_000;

/** The rules that cannot be evaluated, as a process reports them. */
function faultsOf(all: ReadonlyMap<string, string>): Pick<AlertCounts, 'faults' | 'faulty'> {
  const faults: Record<string, number> = {};
  for (const why of all.values()) faults[why] = (faults[why] ?? 0) + 1;
  return { faults, faulty: Object.fromEntries([...all].slice(0, mostNamed)) };
}

/** What delivers: `stop` resolves when what is under way has ended. */
function deliveryOf(
  { config, log }: Pick<ProcessContext, 'config' | 'log'>,
  { id, url, store }: { id: string; url: string; store: StateStore },
) {
  const rules = new RuleStore(url, { name: `${id}/rules`, clock, log });
  const sender = new Sender({
    ...{ clock, gateway: config.gateway, allowed: new Set(config.alertHostsAllowed) },
    secrets: (account) => store.secrets(account, clock.now()),
    onMoved({ event: { account }, receiver: from }, to) {
      rules.moveChat(account, { from, to, now: clock.now() }).catch((error: unknown) => {
        log.warn({ err: error }, 'the chat of a group could not be stored');
      });
    },
  });
  const lanes = new Lanes({
    ...{ clock, random: Math.random, send: (queued) => sender.send(queued) },
    note: (entry, outcome) => store.attempted(entry, outcome),
  });
  const queues = new Queues({ url, process: id, clock, log, random: Math.random }, store, lanes);
  const stop = async (): Promise<void> => {
    await lanes.stop();
    await sender.close();
    rules.close();
  };
  return { lanes, queues, stop };
}

/** Whether this process has the shard of a rule. */
type IsHeld = (rule: AlertRule) => boolean;

/** All rules, of which those of this process are watched: the market is followed once there is one that is not paused. */
class Watched {
  readonly counts = { fired: 0, late_ms: 0 };
  readonly #front: AlertFront;
  readonly #store: StateStore;
  readonly #isHeld: IsHeld;
  readonly #rules = new Map<string, AlertRule>();
  #engine: Engine | null = null;

  constructor(front: AlertFront, store: StateStore, isHeld: IsHeld) {
    this.#front = front;
    this.#store = store;
    this.#isHeld = isHeld;
  }

  get size(): number {
    return this.#engine?.size ?? 0;
  }

  /** Takes a rule as it is now, or null where it has been deleted. */
  accept(id: string, rule: AlertRule | null): void {
    if (rule === null) {
      this.#rules.delete(id);
      this.#engine?.drop(id);
      return;
    }
    this.#rules.set(id, rule);
    this.#take(rule);
  }

  gain(shard: number): void {
    for (const rule of this.#rules.values()) if (shardOf(rule.id) === shard) this.#take(rule);
  }

  lose(shard: number): void {
    this.#engine?.dropShard(shard);
  }

  /** Why rules of this process cannot be evaluated, by their ids. */
  faults(): ReadonlyMap<string, string> {
    // Rules wait for the market at first.
    if (this.#engine !== null) return this.#engine.faults();
    const own = [...this.#rules.values()].filter((rule) => !rule.paused && this.#isHeld(rule));
    return new Map(own.map(({ id }) => [id, 'warming_up']));
  }

  stop(): void {
    this.#engine?.stop();
  }

  #take(rule: AlertRule): void {
    if (!this.#isHeld(rule)) return;
    if (this.#engine !== null) this.#engine.take(rule);
    else if (!rule.paused) this.#front.begin((topics) => this.#begin(topics));
  }

  #begin(topics: ConstructorParameters<typeof Engine>[0]['topics']): void {
    const { counts } = this;
    this.#engine = new Engine({
      clock,
      topics,
      store: this.#store,
      onEvent({ fired_at, data_time }) {
        counts.fired += 1;
        counts.late_ms = data_time === null ? 0 : Math.max(0, fired_at - data_time);
      },
    });
    for (const rule of this.#rules.values()) this.#take(rule);
  }
}

async function alerts({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('alerts');
  const url = needRedis(config);
  const servers = openRedis(config, { process: id, clock, log, reads: true });
  const { bus } = servers;
  const store = new StateStore(url, { name: `${id}/states`, log });
  const fellows = new Fellows();
  const front = alertFront({ config, log }, bus);
  const { lanes, queues, stop } = deliveryOf({ config, log }, { id, url, store });
  const watched = new Watched(front, store, (rule) => shards.held.has(shardOf(rule.id)));
  const shards = new Shards({
    ...{ leases: bus.leases(), process: id, clock, random: Math.random },
    processes: () => fellows.count(),
    onGained(shard) {
      queues.begin(shard);
      watched.gain(shard);
    },
    onLost(shard) {
      watched.lose(shard);
      queues.end(shard);
    },
    note: (what, error) => error && log.warn({ err: error }, `lease of alerts: ${what}`),
  });
  bus.follow({
    processes: (_key, report) => fellows.accept(report),
    alertRules(key, { rule }) {
      watched.accept(key, rule);
      if (rule === null) lanes.dropRule(key);
    },
  });
  const heartbeat = startHeartbeat(bus, { id, role: 'alerts' }, () => {
    const numbers = { ...lanes.counts(), rules: watched.size, shards: shards.held.size };
    return { alerts: { ...watched.counts, ...numbers, ...faultsOf(watched.faults()) } };
  });
  return async () => {
    heartbeat.stop();
    watched.stop();
    await Promise.all([shards.stop(), queues.stop()]);
    await stop();
    front.stop();
    store.close();
    await servers.close();
  };
}

await runRole('alerts', alerts, checksOf.alerts);
