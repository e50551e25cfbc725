/** What is asked of the histories of Binance, and what is given of an answer. */
import t from 'tap';
import { histories } from '../../../../actors/venues/binance/analytics.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { instrumentOf } from '../fixtures.ts';

const at = 1_750_000_800_000;
const hour = 3_600_000;

const askOf = (part: 'spot' | 'linear' | 'inverse', market: string) => ({
  market,
  part,
  instrument: instrumentOf(binance, part, market),
  interval: '1h' as const,
  limit: 100,
  now: at + hour,
});
const usd = askOf('linear', 'BTCUSDT');

t.test('one page answers every limit; what is older than 30 days is not asked for', async (t) => {
  const { page, requests, slice } = histories.openInterestHistory;
  const asked = { ...usd, limit: 5 };
  t.equal(page(asked)?.limit, 500);
  t.strictSame(page({ ...asked, to: asked.now + 1 })?.to, undefined, 'the present');
  t.equal(page({ ...asked, to: at + 5 })?.to, Math.floor(at / hour) * hour);
  t.equal(page({ ...asked, ...askOf('spot', 'BTCUSDT') }), null, 'spot has none');
  const query = (to: number) => requests({ ...asked, to })[0]?.query;
  t.match(query(at), { startTime: at - 4 * hour - 1, endTime: at });
  const oldest = asked.now - 30 * 24 * hour;
  t.ok(Number(query(at - 40 * 24 * hour)?.startTime) > oldest);
  const points = [1, 2, 3, 4].map((timestamp) => ({ timestamp, base: 1, usd: 1 }));
  const cut = slice({ market: 'X', points }, { ...asked, from: 2, to: 3, limit: 5 });
  t.strictSame(
    cut.points.map(({ timestamp }) => timestamp),
    [2, 3],
  );
  t.equal(slice({ market: 'X', points }, { ...asked, limit: 1 }).points[0]?.timestamp, 4);
});

/** https://developers.binance.com/docs/derivatives/coin-margined-futures/market-data/rest-api/Mark-Price-Kline-Candlestick-Data */
t.test(
  'candles of COIN-M are asked for in ranges of 200 days at most, without a gap',
  async (t) => {
    const day = 24 * hour;
    const { page, requests } = histories.basisHistory;
    const times = (asked: Parameters<typeof requests>[0]) =>
      requests({ ...asked, ...page(asked), instrument: asked.instrument, now: asked.now }).map(
        ({ path, query }) => [path, Number(query?.startTime), Number(query?.endTime)] as const,
      );
    const asked = { ...askOf('inverse', 'BTCUSD_PERP'), interval: '1d' as const, limit: 10 };
    const newest = Math.floor(at / day) * day;
    for (const found of [times({ ...asked, to: at }), times({ ...asked, limit: 499 })]) {
      const half = found.length / 2;
      for (const own of [found.slice(0, half), found.slice(half)]) {
        t.equal(new Set(own.map(([path]) => path)).size, 1, 'marks, then indices');
        t.ok(own.every(([, start, end]) => end > start && end - start <= 200 * day));
        t.ok(
          own.slice(1).every(([, start], i) => start === own[i]?.[2]),
          'one after the other',
        );
        t.ok((own[0]?.[1] ?? Infinity) <= newest - 498 * day && (own.at(-1)?.[2] ?? 0) >= newest);
      }
    }
    t.equal(times({ ...askOf('linear', 'BTCUSDT'), interval: '1d' as const, to: at }).length, 2);
    t.equal(times({ ...asked, interval: '1h' as const }).length, 2, 'what fits is one of each');
  },
);
