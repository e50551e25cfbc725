/** What is asked of the histories of Binance, and what is given of an answer. */
import t from 'tap';
import { histories } from '../../../../actors/venues/binance/analytics.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { instrumentOf } from '../fixtures.ts';

const at = 1_750_000_800_000;
const hour = 3_600_000;

const askOf = (part: 'spot' | 'linear', market: string) => ({
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
