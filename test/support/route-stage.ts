/** All rows over the markets of the fixtures of all venues. */
import type { Venue } from '../../actors/sources/venue.ts';
import { venues } from '../../actors/venues/registry.ts';
import { catalogueOf, eventStreamsOf, optionListsOf } from '../../cmd/process/venues.ts';
import { createViews } from '../../cmd/process/views.ts';
import type { Param, Route } from '../../http/endpoints/route.ts';
import type { Health } from '../../http/views/health.ts';
import {
  contextOf,
  derivativesOf,
  openInterestOf,
  pricesOf,
  received,
} from '../actors/venues/fixtures.ts';
import { day, optionRow } from '../indicators/options/rows.ts';
import { FakeClock } from './clock.ts';
import { liquidation, liquidations, optionTrade } from './makers.ts';
import { silentBus } from './queries.ts';

export const now = received + 1_000;
const all: ReadonlyMap<string, Venue> = new Map(Object.entries(venues));
const made = () => {
  const views = createViews({ lendingLeastTvl: 0, venues: all });
  views.stop();
  return views;
};
/** With readings, and before any. */
export const [views, cold] = [made(), made()];
const { prices, instruments, perpetuals, openInterest } = views;
for (const venue of all.values())
  for (const part of venue.parts) {
    const reading = <Row extends { market: string }>(rows: Row[]) => {
      // A second contract of Bitcoin that is traded more.
      const isIts = venue.id === 'binance' && part !== 'spot';
      const more = isIts ? rows.filter(({ market }) => market === 'BTCUSDT') : [];
      const second = more.map((row) => ({ ...row, market: 'BTCUSDC', volume: 3e9 }));
      return { source: venue.id, part, asked: now, received, rows: [...rows, ...second] };
    };
    const listed = reading([...contextOf(venue, part).instruments.values()]);
    instruments.accept(listed);
    perpetuals.accept('instruments', listed, now);
    const priced = reading(pricesOf(venue, part).rows);
    prices.accept(priced, now);
    perpetuals.accept('prices', priced, now);
    if (venue.feeds.derivatives?.parts[part]) {
      const rates = reading(derivativesOf(venue, part).rows);
      perpetuals.accept('derivatives', rates, now);
    }
    if (venue.feeds.openInterest?.parts[part]) {
      const open = reading(openInterestOf(venue, part).rows);
      perpetuals.accept('openInterest', open, now);
      openInterest.accept(open, now);
    }
  }
for (const [source, lists] of optionListsOf(all))
  for (const part of lists) {
    const strikes = [90, 100, 110].flatMap((strike) => [
      optionRow({ strike, expiry: now + 30 * day }),
      optionRow({ strike, expiry: now + 60 * day, type: 'put', open_interest: strike }),
    ]);
    views.options.accept({ source, part, asked: now, received, rows: strikes }, now);
  }
for (const [source, parts] of eventStreamsOf(all, 'liquidations'))
  for (const part of parts) {
    const events = ['BTC', 'ETH', 'SOL'].map((symbol, ago) =>
      liquidation({
        symbol,
        id: `${part} ${symbol}`,
        timestamp: now - ago * 1_000,
        value_usd: 500 + ago,
      }),
    );
    views.liquidations.accept(liquidations({ source, part, at: now, since: now, events }));
  }
let place = 1;
for (const [source, parts] of eventStreamsOf(all, 'optionTrades'))
  for (const part of parts) {
    const events = ['BTC', 'ETH'].map((symbol, ago) =>
      optionTrade({ symbol, id: `${part} ${symbol}`, timestamp: now - ago * 1_000 }),
    );
    const entry = { source, part, at: now, since: now, events };
    views.optionTrades.accept(entry, { id: `${now}-${place}`, seq: place });
    place += 1;
  }
views.tables.touch(received);
for (const view of [views.liquidations, views.optionTrades, views.tables]) view.expire(now);

const health: Health = {
  listen: () => () => {},
  redis: () => 'up',
  redisServers: () => [{ setting: 'REDIS_URL', state: 'up', problem: null }],
  redisLatency: () => null,
  redisProblem: () => null,
  history: () => ({ state: 'up', problem: null }),
  clocks: () => [],
  data: () => 'live',
  newest: () => null,
  ready: () => ({ ready: false, missing: [] }),
  uptime: () => 0,
};
export const contextFor = (given: typeof views) => ({
  ...given,
  ...catalogueOf(all),
  bus: silentBus,
  clock: new FakeClock(now),
  version: '',
  keys: null,
  quota: null,
  alerts: null,
  health,
  collect: async () => '',
});

type Make = (context: ReturnType<typeof contextFor>) => readonly Route[];
/** The rows that these make, each once. */
export function rowsOf(makers: readonly Make[], given = views): Route[] {
  const rows = makers.flatMap((make) => make(contextFor(given)));
  return [...new Map(rows.map((row) => [`${row.method} ${row.path}`, row])).values()];
}

export type Values = Record<string, string | number | undefined>;

const usual = ([name, param]: [string, Param]): [string, string | number | undefined] => [
  name,
  name === 'symbol' ? 'BTC' : (param.default ?? param.enum?.[0] ?? param.example),
];

/** What a client asks that chooses little. */
export const usualOf = ({ params }: Route): Values =>
  Object.fromEntries(Object.entries(params).map(usual));
