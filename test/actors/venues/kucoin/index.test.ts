import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the connection: acknowledgements', async (t) => {
  const { acknowledges, url } = kucoin.live.prices.futures;
  t.equal(url, 'wss://x-push-futures.kucoin.com');
  const said = { id: '1', result: true };
  t.strictSame(
    [said, { ...said, id: '2' }, { ...said, result: false }, null].map((message) =>
      acknowledges?.(message),
    ),
    [1, 0, 0, 0],
  );
});

t.test(
  'a contract has the hours of now, and the name that is shown where the ids have it in Latin letters',
  async (t) => {
    const contract = {
      ...{
        type: 'FFWCSX',
        status: 'Open',
        quoteCurrency: 'USDT',
        multiplier: 10,
        isInverse: false,
      },
      ...{ symbol: 'NIULAIUSDTM', baseCurrency: 'NIULAI', displayBaseCurrency: '牛来' },
      ...{ fundingRateGranularity: 28_800_000, currentFundingRateGranularity: 14_400_000 },
    };
    const older = { ...contract, symbol: 'DOGEUSDTM', baseCurrency: 'DOGE' };
    const data = [
      contract,
      { ...older, displayBaseCurrency: 'DOGE', currentFundingRateGranularity: null },
    ];
    const context = { received: 0, instruments: new Map() };
    const { rows } = kucoin.feeds.instruments.parts.futures.parse([{ data }], context).instruments;
    t.strictSame(
      rows.map(({ symbol, funding_hours }) => [symbol, funding_hours]),
      [
        ['牛来', 4],
        ['DOGE', 8],
      ],
    );
    const pair = { symbol: 'NIULAI-USDT', name: '牛来-USDT', baseCurrency: 'NIULAI' };
    const spot = { ...pair, quoteCurrency: 'USDT', enableTrading: true };
    const pairs = kucoin.feeds.instruments.parts.spot.parse(
      [{ data: [spot] }],
      context,
    ).instruments;
    t.match(pairs.rows, [{ market: 'NIULAI-USDT', symbol: '牛来' }]);
  },
);

wholeVenue(t, kucoin);
