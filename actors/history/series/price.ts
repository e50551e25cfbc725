import { sumKnown } from '../../../indicators/market/assets.ts';
import { averagePrice, foldPrices, type PriceEntry } from '../../../indicators/market/prices.ts';
import { having, type MarketState } from '../../state/market-state.ts';
import { type Interval, recordedKey, topics } from '../../topics/index.ts';
import { type Ask, defineSeries, last, type SampleRow } from '../define.ts';

type Row = SampleRow<'price'>;

const kinds = ['spot', 'perpetual'] as const;
const maxAge = topics.prices.maxAge;

/** The price of an asset at an exchange; the turnover is null where one of its markets is not heard. */
type Entry = PriceEntry & { turnover: number | null };

/** The prices of each asset at the exchanges. */
function entriesOf(
  market: MarketState,
  kind: (typeof kinds)[number],
  { rates, now }: { rates: ReadonlyMap<string, number>; now: number },
) {
  const found = new Map<string, [string, Entry][]>();
  for (const [source, readings] of market.bySource('prices')) {
    const own = having(readings, (row) => row.kind === kind);
    const { entries, stale } = foldPrices(own, { rates, now, maxAge });
    for (const [symbol, price] of entries) {
      const entry = { ...price, turnover: stale.has(symbol) ? null : price.volume_24h };
      const known = found.get(symbol);
      if (known) known.push([source, entry]);
      else found.set(symbol, [[source, entry]]);
    }
  }
  return found;
}

function* sample(market: MarketState, now: number): Generator<Row> {
  const rates = market.rates(now);
  for (const kind of kinds) {
    for (const [symbol, entries] of entriesOf(market, kind, { rates, now })) {
      const turnover = sumKnown(entries.map(([, entry]) => entry.turnover));
      const values = { price: averagePrice(entries).mean, turnover };
      yield { key: recordedKey(kind, symbol), values };
    }
  }
}

/** The exchange whose candles stand in for the time before the recording, and the rows of one question. */
const from = { source: 'binance', rows: { '1m': 1_000, '1h': 500 } } as const;
const steps: (keyof typeof from.rows & Interval)[] = ['1m', '1h'];

function asks(key: string, market: MarketState): Ask<'price'>[][] {
  const [word, symbol = ''] = key.split('/');
  const kind = word === 'spot' ? 'spot' : 'perpetual';
  if (!market.supportedExchanges('candles').includes(from.source)) return [];
  const [leading] = market.markets(from.source, kind, symbol);
  if (!leading) return [];
  return steps.map((step) => [
    {
      ...{ key, step, source: from.source },
      name: 'candles',
      params: { market: leading.market, kind, interval: step, limit: from.rows[step] },
      // A candle states the turnover of its own interval at one exchange: not that of a day at all of them.
      rows: (reply) =>
        reply.candles
          .filter(({ closed }) => closed)
          .map(({ timestamp, close }) => ({
            time: timestamp,
            values: { price: close, turnover: null },
          })),
    },
  ]);
}

/**
 * Mean price and turnover of the last 24 hours by kind of market and asset, over all exchanges; the turnover is of those of which every
 * market is heard.
 */
export const price = defineSeries({
  name: 'price',
  key: 'kind/asset',
  columns: { price: last('US dollars'), turnover: last('US dollars') },
  sample,
  backfill: {
    keys: (market, now) =>
      market.tracked(now).flatMap((symbol) => kinds.map((kind) => recordedKey(kind, symbol))),
    asks,
  },
});
