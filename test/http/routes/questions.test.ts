/**
 * What each endpoint asks of which source, by the values that its parameters may have: equal to a table, which changes on
 * purpose only. The markets are those of the fixtures of all venues.
 */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { catalogueOf, liquidationStreamsOf } from '../../../cmd/process/venues.ts';
import { isApiError } from '../../../http/errors.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import type { Param, Route } from '../../../http/routes/route.ts';
import { BooksView } from '../../../http/views/books.ts';
import { DefiView } from '../../../http/views/defi.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { LiquidationsView } from '../../../http/views/liquidations.ts';
import { MarketIndicatorsView } from '../../../http/views/market-indicators.ts';
import { fundingRows, interestRows } from '../../../http/views/market-rows.ts';
import { Markets } from '../../../http/views/markets.ts';
import { OpenInterestView } from '../../../http/views/open-interest.ts';
import { OptionsView } from '../../../http/views/options.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { StatusView } from '../../../http/views/status.ts';
import { contextOf, derivativesOf, pricesOf, received } from '../../actors/venues/fixtures.ts';
import { FakeClock } from '../../support/clock.ts';
import { sameAsDeclared } from '../../support/declared.ts';
import { silentBus } from '../../support/queries.ts';

const now = received + 1_000;
const all: ReadonlyMap<string, Venue> = new Map(Object.entries(venues));
const prices = new PricesView();
const instruments = new InstrumentsView();
const perpetuals = new PerpetualsView(prices);
const liquidations = new LiquidationsView(liquidationStreamsOf(all), now);
for (const venue of all.values())
  for (const part of venue.parts) {
    const reading = <Row>(rows: Row[]) => ({ source: venue.id, part, asked: now, received, rows });
    const listed = reading([...contextOf(venue, part).instruments.values()]);
    instruments.accept(listed, now);
    perpetuals.accept('instruments', listed, now);
    const priced = reading(pricesOf(venue, part).rows);
    prices.accept(priced, now);
    perpetuals.accept('prices', priced, now);
    if (venue.feeds.derivatives?.parts[part])
      perpetuals.accept('derivatives', reading(derivativesOf(venue, part).rows), now);
  }

/** Stands for what no question is made of. */
const unused = new Proxy(Object.create(null), { get: () => () => null });
const routes = allRoutes({
  ...{ prices, instruments, perpetuals, liquidations, bus: silentBus, clock: new FakeClock(now) },
  ...{ fundingRows: fundingRows(), interestRows: interestRows(), keys: null, quota: null },
  ...{ options: new OptionsView(new Map()), books: new BooksView(), status: new StatusView() },
  ...{ defi: new DefiView({ leastTvl: 0 }), marketIndicators: new MarketIndicatorsView() },
  ...{ tables: unused, recorded: unused, onchain: unused, sentiment: unused, health: unused },
  ...{ ...catalogueOf(all), version: '', collect: async () => '' },
  markets: new Markets({ instruments, prices }),
  openInterest: new OpenInterestView(prices),
});

type Values = Record<string, string | number | undefined>;

function asked({ from }: Route, values: Values): string[] {
  if (!('query' in from)) return [];
  const found = from.query(values);
  if (isApiError(found)) return [`${found.error}: ${found.message}`];
  if (!('source' in found)) return ['an answer without a question'];
  const { source, name, params, also = [], beside, what, form, refresh } = found;
  return [
    `${name} of ${source} ${JSON.stringify(params)} for ${what}`,
    ...also.map((one) => `also ${one.source} ${JSON.stringify(one.params)}`),
    ...(beside === undefined ? [] : [`beside ${JSON.stringify(beside)}`]),
    ...(form === undefined ? [] : [`form ${form}`]),
    ...(refresh === undefined ? [] : [`refreshed before ${refresh} ms`]),
  ];
}

const usual = ([name, param]: [string, Param]): [string, string | number | undefined] => [
  name,
  name === 'symbol' ? 'BTC' : (param.default ?? param.enum?.[0] ?? param.example),
];

/** The usual values, and for each parameter the others that it may have, or its largest. */
function questionsOf(row: Route): [string, string[]][] {
  const params = Object.entries(row.params);
  const values: Values = Object.fromEntries(params.map(usual));
  const others = params.flatMap(([name, { enum: words, maximum }]) =>
    (words ?? (maximum === undefined ? [] : [maximum])).map((value): [string, string[]] => [
      `${name}=${value}`,
      asked(row, { ...values, [name]: value }),
    ]),
  );
  return [['usual', asked(row, values)], ...others];
}

const questions = Object.fromEntries(
  routes
    .filter(({ from }) => 'query' in from)
    .map((row) => [row.path, Object.fromEntries(questionsOf(row))]),
);
t.test('questions', async (t) => sameAsDeclared(t, 'questions', questions));
