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
import { alertFront } from './alert-front.ts';
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

async function alerts({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const id = processId('alerts');
  const url = needRedis(config);
  const servers = openRedis(config, { process: id, clock, log, reads: true });
  const { bus } = servers;
  const store = new StateStore(url, { name: `${id}/states`, log });
  const fellows = new Fellows();
  const rules = new Map<string, AlertRule>();
  const counts = { fired: 0, late_ms: 0 };
  const front = alertFront({ config, log }, bus);
  let engine: Engine | null = null;

  const { lanes, queues, stop } = deliveryOf({ config, log }, { id, url, store });

  const take = (rule: AlertRule): void => {
    if (!shards.held.has(shardOf(rule.id))) return;
    // The market is followed once there is a rule that watches it.
    if (engine === null) {
      if (!rule.paused) front.begin(onFront);
    } else engine.take(rule);
  };
  const onFront = (topics: ConstructorParameters<typeof Engine>[0]['topics']): void => {
    engine = new Engine({
      ...{ clock, topics, store },
      onEvent({ fired_at, data_time }) {
        counts.fired += 1;
        counts.late_ms = data_time === null ? 0 : Math.max(0, fired_at - data_time);
      },
    });
    for (const rule of rules.values()) take(rule);
  };
  const shards = new Shards({
    ...{ leases: bus.leases(), process: id, clock, random: Math.random },
    processes: () => fellows.count(),
    onGained(shard) {
      queues.begin(shard);
      for (const rule of rules.values()) if (shardOf(rule.id) === shard) take(rule);
    },
    onLost(shard) {
      engine?.dropShard(shard);
      queues.end(shard);
    },
    note: (what, error) => error && log.warn({ err: error }, `lease of alerts: ${what}`),
  });
  bus.follow({
    processes: (_key, report) => fellows.accept(report),
    alertRules(key, { rule }) {
      if (rule === null) {
        rules.delete(key);
        engine?.drop(key);
        lanes.dropRule(key);
        return;
      }
      rules.set(key, rule);
      take(rule);
    },
  });
  const faultsNow = (): ReadonlyMap<string, string> => {
    // Rules wait for the market at first.
    if (engine !== null) return engine.faults();
    const own = [...rules.values()].filter((rule) => shards.held.has(shardOf(rule.id)));
    return new Map(own.flatMap(({ id, paused }) => (paused ? [] : [[id, 'warming_up'] as const])));
  };
  const heartbeat = startHeartbeat(bus, { id, role: 'alerts' }, () => {
    const numbers = { ...lanes.counts(), rules: engine?.size ?? 0, shards: shards.held.size };
    return { alerts: { ...counts, ...numbers, ...faultsOf(faultsNow()) } };
  });
  return async () => {
    heartbeat.stop();
    engine?.stop();
    await Promise.all([shards.stop(), queues.stop()]);
    await stop();
    front.stop();
    store.close();
    await servers.close();
  };
}

await runRole('alerts', alerts, checksOf.alerts);
