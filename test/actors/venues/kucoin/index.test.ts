import t from 'tap';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { listed } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

t.test('the connection: acknowledgements', async (t) => {
  const { acknowledges, channels, url } = kucoin.live.prices.futures;
  t.equal(url, 'wss://x-push-futures.kucoin.com');
  const said = { id: '1', result: true };
  t.strictSame(
    [said, { ...said, result: false }, { id: '2', type: 'pong' }, null].map((message) =>
      acknowledges?.(message),
    ),
    [1, 0, 0, 0],
  );
  const list = listed(Array.from({ length: 52 }, (_, i) => ({ market: `C${i}USDTM` })));
  const answers = channels(list).map((sent) => ({ ...said, id: JSON.parse(sent).id }));
  t.strictSame(
    answers.map((one) => acknowledges?.(one)),
    [50, 2],
    'as many as it names',
  );
  const ended = kucoin.live.prices.futures.unsubscribe?.(list, {}) ?? [];
  t.strictSame(
    ended.map((sent) => [
      JSON.parse(sent).action,
      acknowledges?.({ ...said, id: JSON.parse(sent).id }),
    ]),
    [
      ['UNSUBSCRIBE', 0],
      ['UNSUBSCRIBE', 0],
    ],
    'what is ended is answered alike',
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
      symbol: 'NIULAIUSDTM',
      baseCurrency: 'NIULAI',
      displayBaseCurrency: '牛来',
      fundingRateGranularity: 28_800_000,
      currentFundingRateGranularity: 14_400_000,
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
  },
);

t.test('a pair is about the coin in its name; its id stays', async (t) => {
  // https://github.com/ccxt/ccxt/issues/6538
  const named = [
    ['NIULAI', '牛来', '牛来'],
    ['BCHSV', 'BSV', 'BSV'],
    ['LOKI', 'OXEN', 'OXEN'],
    ['KALT', 'ALT', 'ALT'],
    ['ALT', 'ALT', 'APTOSLAUNCHTOKEN'],
    ['QRS', '', 'QRS'],
  ] as const;
  const data = named.map(([id, shown]) => ({
    symbol: `${id}-USDT`,
    name: shown && `${shown}-USDT`,
    baseCurrency: id,
    quoteCurrency: 'USDT',
    enableTrading: true,
  }));
  const context = { received: 0, instruments: new Map() };
  const { rows } = kucoin.feeds.instruments.parts.spot.parse([{ data }], context).instruments;
  t.strictSame(
    rows.map(({ market, symbol }) => [market, symbol]),
    named.map(([id, , symbol]) => [`${id}-USDT`, symbol]),
  );
});

wholeVenue(t, kucoin);
