/** An engine over the answers of the real rows, with prices that a test publishes into the views. */
import type { AlertEvent, AlertRule } from '../../../actors/topics/index.ts';
import { armed } from '../../../alerts/rules/condition.ts';
import type { Stored, StoredState, Transition } from '../../../alerts/store/state-store.ts';
import { createLogger } from '../../../config/log.ts';
import { Engine } from '../../../http/alerts/engine.ts';
import { EventLog } from '../../../http/answers/event-log.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { Endpoint } from '../../../http/endpoints/endpoint.ts';
import { Topics } from '../../../http/live/topics.ts';
import { liquidationRoutes } from '../../../http/routes/liquidations/index.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { apiError } from '../../../http/wire/errors.ts';
import { alertRule } from '../../support/alerts.ts';
import { FakeClock } from '../../support/clock.ts';
import { priceRow, reading } from '../../support/makers.ts';
import { contextFor, views } from '../../support/route-stage.ts';

/** The store as Redis has it: one state of a rule and subject, compared with the one before. */
export function memory() {
  const states = new Map<string, Map<string, StoredState>>();
  const events: AlertEvent[] = [];
  let isAway = false;
  let writes = 0;
  /** Events that the account may fire still. */
  let left = Number.POSITIVE_INFINITY;
  let held: Promise<void> | null = null;
  /** Whether an event may be fired, which it is then. */
  const fire = (event: AlertEvent | null): boolean => {
    if (event === null) return true;
    if (left === 0) return false;
    left -= 1;
    events.push(event);
    return true;
  };
  const store = {
    async states(id: string) {
      return new Map(states.get(id));
    },
    async store({ rule, subject, before, after, event }: Transition): Promise<Stored> {
      await held;
      if (isAway) throw new Error('Redis is away');
      writes += 1;
      const own = states.get(rule.id) ?? new Map<string, StoredState>();
      const known = own.get(subject) ?? { state: armed, text: '' };
      const text = JSON.stringify(after);
      if (known.text === text) return { outcome: 'stored', now: known };
      if (known.text !== before.text) return { outcome: 'other', now: known };
      if (!fire(event)) return { outcome: 'later', wait: 100 };
      states.set(rule.id, own.set(subject, { state: after, text }));
      return { outcome: 'stored', now: { state: after, text } };
    },
    async place() {
      return null;
    },
    async setPlace() {},
  };
  return {
    store,
    events,
    states,
    writes: () => writes,
    away: (is: boolean) => {
      isAway = is;
    },
    rate(events: number) {
      left = events;
    },
    /** Redis is slow from now on, until the function that this gives is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return () => {
        held = null;
        resolve();
      };
    },
  };
}

export function stage(kept = memory()) {
  const clock = new FakeClock();
  const prices = new PricesView();
  const log = new EventLog();
  const around = { ...contextFor(views), clock, prices };
  views.liquidations.log.begin = async () => {};
  const routes = [...marketRoutes(around), ...liquidationRoutes(around)];
  const asked: string[] = [];
  const overloaded = async (_question: object, account: string) => {
    asked.push(account);
    return apiError('overloaded');
  };
  const queries = { known: () => null, read: overloaded, once: overloaded };
  const endpoints = routes.map(
    (row) =>
      new Endpoint(row, {
        clock,
        log: createLogger({ logLevel: 'silent' }, 'test'),
        counters: new Counters(routes),
        queries,
      }),
  );
  const topics = new Topics({
    clock,
    every: 'auto',
    dataAlone: true,
    symbols: prices.symbols,
    log: { error: () => {} },
  });
  topics.serve(endpoints);
  const begin = () => new Engine({ clock, topics, store: kept.store, onEvent: () => {} });
  const engine = begin();
  const price = async (value: number, symbol = 'BTC', source = 'a') => {
    await clock.advance(1_000);
    const row = priceRow({ symbol, market: `${symbol}USDT`, price: value, volume: 1e6 });
    const part = { source, part: symbol, received: clock.now() };
    prices.accept(reading([row], part), clock.now());
    // Rules follow in the same turn.
    await clock.advance(0);
  };
  const take = async (over: Partial<AlertRule>, by = engine) => {
    const rule = alertRule({ created_at: clock.now(), updated_at: clock.now(), ...over });
    by.take(rule);
    await clock.advance(0);
    return rule;
  };
  const fired = (id = 'al_1') =>
    kept.events
      .filter((event) => event.alert_id === id)
      .map(({ kind, value, subject }) => `${kind} ${subject ?? '-'} ${value}`);
  return { clock, engine, begin, price, take, fired, kept, log, prices, asked };
}
