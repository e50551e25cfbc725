/** Markets as their exchanges state them: instruments, and the newest rows of one exchange. */
import type { ListedRow } from '../../actors/topics/changing-reading.ts';
import type { DerivativeRow, OpenInterestRow } from '../../actors/topics/index.ts';
import { unifiedName } from '../../indicators/market/market-names.ts';
import { Source } from '../answers/source.ts';
import * as instruments from '../views/instruments.ts';
import type { Dated, MarketRows } from '../views/market-rows.ts';
import { exchangeDetail } from '../views/market-schemas.ts';
import { kit, params, s } from './kit.ts';

type Context = kit.Needs<'instruments' | 'markets' | 'fundingRows' | 'interestRows' | 'registry'>;

const symbol = {
  type: 'string',
  maxLength: 64,
  description:
    "Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent.",
  example: 'BTC',
} as const;

const marketCells = {
  market: s.ownSymbol,
  symbol: s.string('Base asset.'),
  quote: s.quote,
};
const timeCells = {
  venue_time: [s.integerOrNull('The time that the exchange states, Unix ms.'), 'stated'],
  updated_at: [s.unixMs('When it was received.'), 'received'],
} as const;

const funding = kit.columns<Dated<DerivativeRow>>()({
  ...marketCells,
  mark_price: [s.numberOrNull('Mark price of one base asset, in `quote`.'), 'mark'],
  index_price: [s.numberOrNull('Index price of one base asset, in `quote`.'), 'index'],
  funding_rate: s.numberOrNull('As the exchange states it, a fraction per `interval_hours`.'),
  predicted_rate: [
    s.numberOrNull('Of the next interval, a fraction per `interval_hours`; null if none stated.'),
    ({ predicted_rate = null }) => predicted_rate,
  ],
  interval_hours: [s.numberOrNull('Between two fundings; null where unknown.'), 'funding_hours'],
  funding_rate_8h: s.numberOrNull('Fraction: the rate x 8 / `interval_hours`.'),
  premium: [s.numberOrNull('Against the index, a fraction.'), ({ premium = null }) => premium],
  next_funding_time: [s.integerOrNull('Unix ms.'), 'next_funding'],
  ...timeCells,
});

const interest = kit.columns<Dated<OpenInterestRow>>()({
  ...marketCells,
  open_interest_base: [s.numberOrNull('One side; null where only the value is known.'), 'units'],
  open_interest_value: [s.number('In `quote`, one side.'), 'value'],
  mark_price: [s.numberOrNull('Of the conversion, in `quote`; null if both were stated.'), 'mark'],
  ...timeCells,
});

const followedKinds = ['spot', 'perpetual', 'future'] as const;

const delisted = kit.columns<instruments.DelistedMarket>()({
  exchange: s.exchange,
  market: s.ownSymbol,
  unified: [s.stringOrNull('`BTC/USDT`, `BTC/USDT:USDT` or `BTC/USD:BTC`.'), unifiedName],
  class: [
    s.oneOf(instruments.instrumentClasses, 'What it was about.'),
    ({ asset_class }) => asset_class ?? 'crypto',
  ],
  kind: s.string('`spot`, `perpetual`, or `future` where it ended before its day.'),
  base: [s.string('Base asset.'), 'symbol'],
  quote: s.quote,
  delisted_at: [
    s.unixMs('The first list that lacks it or its trading; read every ten minutes.'),
    'at',
  ],
});

/** Most answers about rows of an exchange that are kept: those of all exchanges are about 10 MB. */
const rowsBound = { entries: 1_000, bytes: 32 * 2 ** 20 };
/** The same of the instruments, of which a list of all exchanges is about 10 MB. */
const listBound = { entries: 64, bytes: 64 * 2 ** 20 };

/** The rows of one exchange, of those with a capability: of a base asset, of a market, or all. */
function rowsOf<Row extends ListedRow, P extends s.TProperties>(
  { markets, registry }: Context,
  view: MarketRows<Row>,
  capability: string,
  of: kit.Columns<Dated<Row>, P>,
) {
  const supportedExchanges = registry.filter(({ capabilities }) => capability in capabilities);
  const wanted = {
    exchange: { ...params.exchange(supportedExchanges.map(({ id }) => id)), required: true },
    symbol,
  } as const;
  interface Query {
    exchange: string;
    symbol?: string | undefined;
  }
  /** A name as that of a base asset, and the market that it means otherwise. */
  const meantBy = (exchange: string, name: string) => {
    const asset = name.toUpperCase();
    return {
      asset,
      ...(markets.find(exchange, name, 'perpetual') ?? { symbol: asset, market: asset }),
    };
  };
  return {
    params: wanted,
    fields: {
      exchange: s.exchange,
      stale_count: s.integer('Markets that are left out: what was stated of them is too old.'),
    },
    columns: of,
    order: 'One row a market.',
    source: view.source,
    bound: rowsBound,
    keysOf({ exchange, symbol: name }: Query) {
      if (name === undefined) return view.keysOf(exchange, []);
      const { asset, symbol } = meantBy(exchange, name);
      return view.keysOf(exchange, [asset, symbol]);
    },
    find({ exchange, symbol: name }: Query) {
      const { asset, market } = name === undefined ? {} : meantBy(exchange, name);
      const found = view.of(exchange, asset, market);
      if (found === null) return null;
      const { rows, stale: stale_count, newest } = found;
      const isNone = rows.length + stale_count === 0;
      // Of a listed market an exchange may have stated nothing yet.
      if (name !== undefined && isNone && markets.find(exchange, name, 'perpetual') === null) {
        return markets.unknown(exchange, name);
      }
      return { exchange, stale_count, rows, asOf: newest > 0 ? newest : null };
    },
  };
}

export const rawRowRoutes = (context: Context) => [
  kit.document({
    path: '/v1/instruments',
    summary: 'Every market of every exchange: its own symbol, base, quote, contract, unified name',
    params: {
      exchange: params.exchange(context.registry.map(({ id }) => id)),
      symbol,
      kind: params.word(instruments.instrumentKinds, 'All kinds when absent.'),
      class: params.word(instruments.instrumentClasses, 'What they are about. All when absent.'),
    },
    answer: instruments.instrumentsAnswer,
    list: 'instruments',
    source: context.instruments.source,
    bound: listBound,
    build: (query) => context.instruments.read(query),
  }),
  kit.table({
    path: '/v1/instruments/delisted',
    summary:
      'Markets that an exchange traded and does not trade any more, since this service follows it',
    params: {
      exchange: params.exchange(context.registry.map(({ id }) => id)),
      symbol,
      kind: params.word(followedKinds, 'All kinds when absent.'),
      class: params.word(instruments.instrumentClasses, 'What they were about. All when absent.'),
    },
    columns: delisted,
    list: 'instruments',
    order: 'The newest first; of one exchange and kind of list 500 at most.',
    source: context.instruments.source,
    bound: listBound,
    find: (query) => context.instruments.delisted(query),
  }),
  kit.table({
    access: 'open',
    noMarketData: true,
    path: '/v2/exchanges',
    summary: 'The exchanges there are, and how each capability of theirs is had',
    params: {},
    columns: kit.plain(exchangeDetail),
    list: 'exchanges',
    order: 'One row an exchange.',
    source: new Source(),
    find: () => context.registry,
  }),
  kit.table({
    ...rowsOf(context, context.fundingRows, 'derivatives', funding),
    path: '/v2/funding-rates',
    summary: 'Funding rates, mark and index prices of the perpetuals of one exchange',
  }),
  kit.table({
    ...rowsOf(context, context.interestRows, 'open_interest', interest),
    path: '/v2/open-interest',
    summary: 'Open interest of the perpetuals of one exchange',
  }),
];
