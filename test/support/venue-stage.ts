/** Venues polled from the simulator on a controlled clock, and the views that answer from what they publish. */

import type { Test } from 'tap';
import { InstrumentBook } from '../../actors/sources/instruments.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import type {
  FeedStatus,
  Instrument,
  OpenInterestRow,
  PriceRow,
  Reading,
} from '../../actors/topics/index.ts';
import { createHttpClient, type HttpClient } from '../../actors/upstream/client.ts';
import { createLogger } from '../../config/log.ts';
import { Pace } from '../../config/pace.ts';
import type { JsonText } from '../../http/answers/json-text.ts';
import { OpenInterestView } from '../../http/views/open-interest.ts';
import { PricesView } from '../../http/views/prices.ts';
import { startSimulator } from '../../scripts/simulator/main.ts';
import { FakeClock } from './clock.ts';
import { memoryBus } from './memory-bus.ts';
import { runAlone } from './run-alone.ts';
import { until } from './until.ts';

/** The venue without the feeds and streams that no view of the stage reads. */
const priced = ({ events: _, ...venue }: Venue): Venue => {
  const { instruments, prices, openInterest } = venue.feeds;
  return { ...venue, feeds: { instruments, prices, ...(openInterest ? { openInterest } : {}) } };
};

/** Runs the venues until the test ends. Those of `ill` may leave requests without an answer: none waits for them. */
export async function venueStage(t: Test, venues: readonly Venue[], ill: readonly Venue[] = []) {
  const clock = new FakeClock();
  const simulator = await startSimulator({ clock, symbols: 12 });
  const view = new PricesView();
  const openInterest = new OpenInterestView(view);
  const statuses = new Map<string, FeedStatus>();
  const newest = new NewestRows();
  const book = new InstrumentBook(newest);
  const bus = memoryBus(clock, (topic, key, value) => {
    if (topic === 'instruments') newest.accept('instruments', value as Reading<Instrument>);
    if (topic === 'prices') {
      newest.accept('prices', value as Reading<PriceRow>);
      view.accept(value as Reading<PriceRow>, clock.now());
    }
    if (topic === 'openInterest')
      openInterest.accept(value as Reading<OpenInterestRow>, clock.now());
    if (topic === 'status') statuses.set(key, value as FeedStatus);
    return undefined;
  });
  const waiting = { count: 0 };
  const counted = (client: HttpClient): HttpClient => ({
    ...client,
    state: (api) => client.state(api),
    close: () => client.close(),
    async send(request, options) {
      waiting.count++;
      return client.send(request, options).finally(() => waiting.count--);
    },
  });
  const log = createLogger({ logLevel: 'silent' }, 'test');
  const clients: HttpClient[] = [];
  const sources = venues.map((venue) => {
    const gateway = simulator.url;
    const client = createHttpClient({ source: venue.id, apis: venue.apis, gateway, clock });
    clients.push(client);
    const places = { book, newest, gateway, pace: new Pace('auto', () => 0) };
    const context = { bus, clock, random: () => 0.5, log, process: 'test', ...places };
    const asked = ill.includes(venue) ? client : counted(client);
    return runAlone(priced(venue), { ...context, client: () => asked });
  });
  /** Moves the clock second by second, and lets every answer that is waited for arrive within its second. */
  const pass = async (ms: number, each = () => {}) => {
    for (let at = 0; at < ms; at += 1_000) {
      await clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 4));
      await until(() => waiting.count === 0, 'the venues have answered');
      view.expire(clock.now());
      openInterest.expire(clock.now());
      each();
    }
  };
  t.teardown(async () => {
    const stopped = Promise.all(sources.map((source) => source.stop()));
    await clock.advance(20_000);
    await stopped;
    await Promise.all(clients.map((client) => client.close()));
    await simulator.close();
  });
  const dataOf = (found: JsonText | null) => {
    if (found === null) throw new Error('nothing is known of BTC');
    return JSON.parse(found.text);
  };
  return {
    clock,
    simulator,
    pass,
    statuses,
    /** `data` of the answers about BTC. */
    prices: () => dataOf(view.one('BTC')),
    openInterest: () => dataOf(openInterest.one('BTC')),
  };
}
