/** Every stream of prices in the registry: genuine recordings where there are any, and the simulator. `suite/streams.ts` has their fixtures. */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { guarded } from '../../support/guarded.ts';
import { absent, recording } from '../../support/recordings.ts';
import { table, wordIn } from '../../support/table.ts';
import { streamOf } from './fixtures.ts';
import { upstream, worldOf } from './readings.ts';
import { context, instrumentIn, rounded } from './stream-suite.ts';
import { now, tellings } from './telling.ts';

const streams = Object.values<Venue>(venues).flatMap((venue) =>
  Object.entries(venue.live?.prices ?? {}).map(([part, stream]) => ({
    name: `${venue.id}/${part}`,
    id: venue.id,
    part,
    stream: streamOf(stream, 'prices'),
    listed: () => worldOf(venue, part, upstream(venue)),
  })),
);

/** Recorded frames: the stream, an instrument, and its price, high and turnover; none where the frame has no price. */
const recorded = table`
  file                                      stream              market        symbol quote kind contract inverse scale price      high       volume
  backpack/ws-ticker                        backpack/all        BTC_USDC_PERP BTC    USDC  .    .        .       .     86_625     86_812.4   154_927_125.4181
  // An example of the documentation, whose volume in base contradicts that in contracts.
  binance/ws-inverse-mini-ticker-all        binance/inverse     BTCUSD_200626 BTC    USD   .    100      true    .     9_561.7    10_000     -
  bingx/ws-perp-ticker                      bingx/linear        BTC-USDT      BTC    .     .    .        .       .     42_432.5   42_855.4   2_728_360_284.15
  bingx/ws-spot-ticker                      bingx/spot          BTC-USDT      BTC    .     spot .        .       .     42_176.83  42_696.1   208_842_236.5
  bitget/ws-perp-ticker-v3                  bitget/usdt-futures BTCUSDT       BTC    .     .    .        .       .     76_631.3   78_237.7   2_914_473_798.933_23
  bitget/ws-spot-ticker-v3                  bitget/spot         BTCUSDT       BTC    .     spot .        .       .     119_818.83 120_255.61 215_859_996.272_276
  bitstamp/ws-trade                         bitstamp/markets    ethusd        ETH    USD   spot .        .       .     3_805.44   -          -
  bybit/ws-perp-inverse-ticker-snapshot     bybit/inverse       BTCUSD        BTC    USD   .    .        true    .     28_560     28_815     661_543_991
  // It has no last price.
  bybit/ws-perp-linear-ticker-delta         bybit/linear        BTCUSDT       BTC    .     .    .        .       .     .          .          .
  bybit/ws-perp-linear-ticker-snapshot-2026 bybit/linear        BTCUSDT       BTC    .     .    .        .       .     65_114.3   65_282.3   1_142_118_412.9021
  bybit/ws-spot-ticker                      bybit/spot          BTCUSDT       BTC    .     spot .        .       .     21_109.77  21_426.99  141_946_527.229_071
  coinbase/ws-advanced-heartbeat            coinbase/spot       .             .      .     .    .        .       .     .          .          .
  coinbase/ws-advanced-ticker-snapshot      coinbase/spot       BTC-USD       BTC    USD   spot .        .       .     65_086.18  65_252.99  2_867.545_326_09*65_086.18
  // Of 2019, without a turnover in dollars.
  deribit/ws-inverse-ticker                 deribit/inverse     BTC-PERPETUAL BTC    USD   .    .        true    .     8_304.5    8_353      43_610.271_772_67*8_304.5
  deribit/ws-ticker                         deribit/inverse     BTC-PERPETUAL BTC    USD   .    .        true    .     92_283.5   93_612     1_092_371_540
  dydx/ws-markets-subscribed                dydx/perp           BTC-USD       BTC    USD   .    .        .       .     60_387.517_79 -       247_515_340.0835
  // A frame without the numbers of 24 h.
  gate/ws-perp-ticker                       gate/usdt           BTC_USDT      BTC    .     .    0.0001   .       .     77_175.1   -          -
  gate/ws-perp-ticker-full                  gate/usdt           BTC_USDT      BTC    .     .    0.0001   .       .     23_160.2   23_589.2   360_157_621
  gate/ws-spot-ticker                       gate/spot           BTC_USDT      BTC    .     spot .        .       .     43_444.82  47_698     227_267_634.9312
  htx/ws-perp-linear-detail                 htx/linear          ETH-USDT      ETH    .     .    0.01     .       .     13_065.8   13_205.3   395_073.4918/2
  htx/ws-spot-tickers-all                   htx/spot            sylousdt      SYLO   .     spot .        .       .     0.000897   0.001055   566_666.2460003
  kraken/ws-futures-ticker                  kraken/futures      PI_XBTUSD     BTC    USD   .    .        true    .     28_053.5   -          19_628_180
  kraken/ws-futures-ticker-pi               kraken/futures      PI_XBTUSD     BTC    USD   .    .        true    .     21_983.5   -          31_403_908
  kraken/ws-spot-ticker                     kraken/spot         XXBTZUSD      BTC    USD   spot .        .       .     108_359.8  111_300    2158.32346723*108_894.5
  kucoin/ws-uta-spot-ticker                 kucoin/spot         ETH-USDT      ETH    .     spot .        .       .     2_155.54   -          -
  kucoin/ws-uta-welcome                     kucoin/spot         .             .      .     .    .        .       .     .          .          .
  // The price of the sample is outside of its range of the day, 2,311.81 to 2,398.
  lighter/ws-market-stats-all               lighter/all         ${'0'}        ETH    USDC  .    .        .       .     2_064.5    -          471_193_598.8472
  lighter/ws-spot-market-stats-update       lighter/all         ${'2048'}     USDC   USD   spot .        .       .     1.000_002  1.000_002  1_000.1
  lighter/ws-connected                      lighter/all         .             .      .     .    .        .       .     .          .          .
  mexc/ws-perp-tickers-all                  mexc/contracts      ETH_USDT      ETH    .     .    0.01     .       .     2_324.5    2_332.59   591_752_573.9792
  mexc/ws-perp-pong                         mexc/contracts      .             .      .     .    .        .       .     .          .          .
  okx/ws-perp-ticker                        okx/swap            BTC-USDC-SWAP BTC    USDC  .    0.0001   .       .     28_620.3   29_514.3   430.701*28_620.3
  okx/ws-spot-ticker                        okx/spot            ACT-USDT      ACT    .     spot .        .       .     0.00718    0.00722    278_377.765_301
  phemex/ws-spot-market24h                  phemex/spot         sBTCUSDT      BTC    .     spot 1e-16    .       1e8   9_582.2    9_620      1_460_742.143_89
  phemex/ws-perp-market24h-pack             phemex/linear       BTCUSDT       BTC    .     .    .        .       .     20_626.3   21_628.4   182_892_627.4297
  phemex/ws-inverse-market24h               phemex/inverse      LTCUSD        LTC    USD   .    10       true    1e4   44.28      44.54      -
  whitebit/ws-market                        whitebit/spot       BTC_USDT      BTC    .     spot .        .       .     22_293.86  24_360.7   1_986_990_019.966
  woo/ws-tickers                            woo/spot            SPOT_XRP_USDT XRP    .     spot .        .       .     1.437_94   1.966_74   985_440.5122
`;

t.test('recorded frames', { skip: absent }, async (t) => {
  for (const row of recorded) {
    const [file, name] = [wordIn(row.file), wordIn(row.stream)];
    const [venue = '', frame = ''] = file.split('/');
    const message = recording(venue, frame)?.response;
    const stream = streams.find((one) => one.name === name)?.stream;
    const parsed = stream?.parse(message, context([instrumentIn(row)])) ?? {
      rows: [],
      dropped: [],
    };
    const { rows } = guarded('prices', parsed, Number.MAX_SAFE_INTEGER);
    const found = rows.map(({ price, high, volume }) => [price, high, volume]);
    t.strictSame(
      rounded(found),
      rounded(row.price === undefined ? [] : [[row.price, row.high, row.volume]]),
      file,
    );
  }
  // The recording is what `result` holds.
  const result = recording('cryptocom', 'ws-perp-ticker')?.response;
  const all = streams.find(({ name }) => name === 'cryptocom/all')?.stream;
  t.match(
    all?.parse(
      { id: -1, method: 'subscribe', code: 0, result },
      context([{ market: 'ETHUSD-PERP', quote: 'USD' }]),
    )?.rows,
    [{ price: 2_335.25, high: 2_400.2, volume: 3_058_704_939.17 }],
  );
  const bitfinex = streams.find(({ name }) => name === 'bitfinex/all')?.stream;
  const at = {
    ...context([{ market: 'tBTCUSD', symbol: 'BTC', quote: 'USD', kind: 'spot' }]),
    connection: {},
  };
  bitfinex?.parse(
    { event: 'subscribed', channel: 'ticker', chanId: 147_794, symbol: 'tBTCUSD' },
    at,
  );
  t.match(bitfinex?.parse(recording('bitfinex', 'ws-spot-ticker')?.response, at)?.rows, [
    { price: 71_754, bid: 71_741, ask: 71_760, high: 73_120, base: 900.871_594_5 },
  ]);
  const one = recording('binance', 'ws-spot-mini-ticker')?.response;
  const spot = streams.find(({ name }) => name === 'binance/spot')?.stream;
  t.match(spot?.parse([one], context([{ market: 'BTCUSDT', symbol: 'BTC', kind: 'spot' }]))?.rows, [
    { price: 116_762, high: 117_666.6, volume: 942_042_493.4857494 },
  ]);
});

t.test('the simulator sends the prices of its world', async (t) => {
  for (const { name, id, stream, listed } of streams) {
    const wants = name.endsWith('/spot') ? 'spot' : 'perpetual';
    const { own, told, instruments } = tellings(id, stream, { wants, first: false });
    const at = { received: now, instruments, connection: {} };
    const parsed = told.map((message) => stream.parse(message, at));
    const rows = parsed.flatMap((found) => found?.rows ?? []);
    const list = listed();
    const all = own.filter(({ market }) => list.has(market)).length;
    t.ok(
      rows.length >= Math.min(3, all) && rows.length > (all === 1 ? 0 : 1),
      `${name}: there are some`,
    );
    const wrong = rows.filter(({ market, price }) => {
      const truth = own.find((one) => one.market === market);
      return !truth || Math.abs(price / truth.price - 1) > 0.001;
    });
    t.strictSame(wrong, [], `${name}: they are right`);
  }
});
