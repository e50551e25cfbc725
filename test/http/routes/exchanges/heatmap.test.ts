import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import type { BookMarket } from '../../../../http/routes/books/common.ts';
import { heatmapRoute } from '../../../../http/routes/books/heatmap.ts';
import { Snapshot } from '../../../../http/snapshots.ts';
import { FakeClock } from '../../../support/clock.ts';
import { askRow, frontQueries, queryBus } from '../../../support/queries.ts';

/** The sources of a row where one exchange alone has a market of the asset, which nothing samples. */
const alone = ({ exchange, market }: BookMarket, clock: FakeClock) =>
  heatmapRoute({
    clock,
    registry: [{ id: exchange, kinds: ['perpetual'] }],
    exchanges: { orderBook: [exchange] },
    books: { samples: () => [] },
    markets: { find: () => ({ symbol: 'RARE', market }) },
    prices: { marketFor: () => ({ market, quote: 'USDT', volume: 1 }), newest: () => clock.now() },
  } as unknown as Parameters<typeof heatmapRoute>[0]);

t.test(
  'the answers of one exchange and of all are kept apart where both ask the same',
  async (t) => {
    const clock = new FakeClock();
    const row = alone({ exchange: 'binance', market: 'RAREUSDT', turnover: 1 }, clock);
    const asked: string[] = [];
    const bus = queryBus(({ source, name }) => {
      asked.push(`${source} ${name}`);
      const now = clock.now();
      const bids = [{ price: 99, quantity: 1 }];
      const asks = [{ price: 101, quantity: 1 }];
      const value = { market: 'RAREUSDT', bids, asks, timestamp: now };
      return success({ value, received: now, until: now + 5_000 });
    });
    const queries = frontQueries(bus, clock);
    const read = async (exchange: string) => {
      const found = await askRow(row, { symbol: 'RARE', exchange, limit: 5 }, queries);
      if (!(found instanceof Snapshot)) throw new Error('no answer');
      return JSON.parse(found.at(clock.now()).toString()).data;
    };
    t.match(await read('aggregated'), { exchange: 'aggregated', symbol: 'RARE' });
    t.match(await read('binance'), { exchange: 'binance', symbol: 'RARE' });
    t.match(await read('aggregated'), { exchange: 'aggregated' });
    t.same(asked, ['binance fullBook', 'binance fullBook'], 'each is kept');
  },
);
