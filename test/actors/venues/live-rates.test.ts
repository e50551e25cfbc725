/** Mark prices, funding and open interest by stream: genuine recordings where there are any, and the simulator. `suite/streams.ts` has their fixtures. */
import t from 'tap';
import type { InstrumentMap } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { absent, recording } from '../../support/recordings.ts';
import { table, wordIn } from '../../support/table.ts';
import { context, instrumentIn, rounded } from './stream-suite.ts';
import { type Row, ratesOf } from './suite/streams.ts';
import { model, now, tellings } from './telling.ts';

const beside = Object.values<Venue>(venues).flatMap(ratesOf);

/** What is wrong with a streamed row, by the world; fields that are null are not sent. */
function faults(market: Market | undefined, row: Row): string[] {
  if (market === undefined) return [`${row.market} is none`];
  const worth = market.openInterest(now) * market.exact(now);
  const [mark, index] = [market.exact(now) / market.scale, market.index(now) / market.scale];
  const { next } = market.fundingTimes(now);
  // Bitfinex states the rate that was set at the funding before.
  const at = row.market.endsWith(':USTF0') ? next - 28_800_000 : next;
  const charged = market.fundingRate(at) * (8 / market.fundingHours);
  const pairs: [number | null, number, number][] =
    'value' in row
      ? [[row.value, worth, 0.01]]
      : [
          [row.mark, mark, 0.001],
          [row.index, index, 0.001],
          // Some send the rate of the running hour.
          [row.next_funding === next ? row.funding_rate_8h : null, charged, 0.02],
        ];
  const isWrong = ([ours, truth, error]: (typeof pairs)[number]) =>
    ours !== null && Math.abs(ours - truth) > error * Math.abs(truth);
  return pairs.filter(isWrong).map(([ours, truth]) => `${row.market}: ${ours}, not ${truth}`);
}

/** The perpetuals of a part. */
const perpetualsOf = (part: string, all: InstrumentMap): InstrumentMap =>
  new Map(
    [...all].filter(
      ([, { kind, inverse }]) =>
        kind === 'perpetual' && part.endsWith(inverse ? '/linear' : '/inverse') === false,
    ),
  );

t.test('the simulator sends the mark prices, funding and open interest of its world', async (t) => {
  for (const { id, name, stream, host } of beside) {
    const channels = (all: InstrumentMap) => host.channels(perpetualsOf(name, all));
    const { told, instruments } = tellings(
      id,
      { ...host, channels },
      { wants: 'perpetual', first: true },
    );
    const at = { received: now, instruments: perpetualsOf(name, instruments), connection: {} };
    const rows = told.flatMap((message) => stream.parse(message, at)?.rows ?? []);
    t.not(rows.length, 0, `${name}: there are some`);
    const markets = new Map(
      model
        .markets(id, now)
        .filter(({ kind }) => kind === 'perpetual')
        .map((market) => [market.id, market]),
    );
    const wrong = rows.flatMap((row) => faults(markets.get(row.market), row));
    t.strictSame(wrong, [], `${name}: they are right`);
  }
});

/** The frames of one connection joined by `+`, the instrument that they are about, and what the row of the last one states. */
const recorded = table`
  topic        stream           frames                                                     market            symbol contract funding_hours next_funding
  derivatives  okx/swap         ws-mark-price                                              WNCG-USDT-SWAP    WNCG   .        .             .
  openInterest okx/swap         ws-mark-price+ws-open-interest                             WNCG-USDT-SWAP    WNCG   .        .             .
  derivatives  kucoin/futures   ws-uta-funding-fee+ws-uta-mark-price                       XBTUSDTM          BTC    0.001    8             1_790_121_600_000
  openInterest kucoin/futures   ws-uta-mark-price                                          XBTUSDTM          BTC    0.001    .             .
  derivatives  bitfinex/all     subscribed+ws-perp-status                                  tBTCF0:USTF0      BTC    .        8             1_790_150_400_000
  openInterest bitfinex/all     subscribed+ws-perp-status                                  tBTCF0:USTF0      BTC    .        .             .
  derivatives  bingx/linear     ws-perp-mark-price                                         BTC-USDT          BTC    .        .             .
  derivatives  htx/linear       ws-perp-linear-mark-kline                                  BTC-USDT          BTC    0.001    .             .
  funding      htx/linear       ws-perp-linear-funding                                     BTC-USDT          BTC    0.001    .             1_790_150_400_000
  funding      mexc/contracts   ws-perp-funding                                            BTC_USDT          BTC    0.0001   .             1_789_516_800_000
  derivatives  backpack/all     ws-mark-price                                              AAPL.US_USDC_PERP AAPL   .        .             1_790_136_000_000
  derivatives  whitebit/futures ws-premium-index-all                                       1INCH_PERP        1INCH  .        .             1_790_121_600_000
  derivatives  whitebit/futures ws-premium-index-all                                       BTC_PERP          BTC    .        .             1_790_121_600_000
  derivatives  woo/perp         ws-v3-mark-price+ws-v3-index-price                         PERP_BTC_USDT     BTC    .        .             -
  derivatives  woo/perp         ws-v3-mark-price+ws-v3-est-funding                         PERP_BTC_USDT     BTC    .        .             1_790_150_400_000
  derivatives  cryptocom/all    ws-mark                                                    BTCUSD-PERP       BTC    .        .             .
  derivatives  cryptocom/all    ws-mark+ws-index                                           BTCUSD-PERP       BTC    .        .             .
  derivatives  cryptocom/all    ws-mark+ws-funding                                         BTCUSD-PERP       BTC    .        .             .
  derivatives  dydx/perp        ws-markets-subscribed                                      BTC-USD           BTC    .        .             .
  derivatives  dydx/perp        ws-markets-subscribed+ws-markets-oracle                    ETH-USD           ETH    .        .             .
  openInterest dydx/perp        ws-markets-subscribed                                      BTC-USD           BTC    .        .             .
  openInterest dydx/perp        ws-markets-subscribed+ws-markets-oracle+ws-markets-trading ETH-USD           ETH    .        .             .

  mark          index     funding_rate                 units            value                  stated
  2.1729        .         -                            .                .                      1_640_131_259_180
  .             .         .                            644_195          644_195*2.1729         1_640_131_258_756
  86_201.79     86_248.81 -0.000_076                   .                .                      1_790_113_097_000
  .             .         .                            11_481.754       11_481.754*86_201.79   .
  // The rate of the running 8 hours is 0; 0.00015317 has accrued for the next funding.
  86_676.3172   86_670.5  0                            .                .                      1_790_133_734_000
  .             .         .                            8_851.893_528_31 .                      .
  86_379.1      -         .                            .                .                      1_790_127_588_636
  86_826.6      -         .                            .                .                      1_790_135_117_624
  -             -         0.000_064_355_479_737_646    .                .                      1_790_135_117_894
  -             -         0.000_081                    .                .                      1_789_498_561_049
  // An equity, taken as if it were followed: the recording has no other.
  340.43        340.52    0.000_006_25                 .                .                      1_790_134_357_847
  0.103_16      0.103_07  0.0001                       .                .                      1_790_113_268_565
  86_167.8      86_224.5  0.000_063_82                 .                .                      1_790_113_268_565
  87_081        87_127    -                            .                .                      1_790_137_719_004
  87_081        -         0.000_043_26                 .                .                      1_790_137_719_004
  86_176.3      -         -                            .                .                      1_790_114_562_000
  -             86_178.17 -                            .                .                      1_790_114_562_000
  -             -         -0.000_004_992               .                .                      1_790_114_562_000
  60_387.517_79 .         0.000_013_516_666_666_666_67 .                .                      .
  2_623.3521    .         -                            .                .                      .
  .             .         .                            648.2389         648.2389*60_387.517_79 .
  .             .         .                            15_398.406       15_398.406*2_623.3521  .
`;
const status = { event: 'subscribed', channel: 'status', key: 'deriv:tBTCF0:USTF0' };
const subscription = { ...status, chanId: 759_363 };

t.test('recorded frames', { skip: absent }, (t) => {
  for (const row of recorded) {
    const { topic, stream: of, frames, market, symbol, contract, ...stated } = row;
    const stream = beside.find((one) => one.topic === topic && one.name === of)?.stream;
    const [venue = ''] = wordIn(of).split('/');
    const at = { ...context([instrumentIn(row)]), connection: {} };
    const read = wordIn(frames)
      .split('+')
      .map((frame) => (frame === 'subscribed' ? subscription : recording(venue, frame)?.response))
      .map((message) => stream?.parse(message, at)?.rows);
    t.match(rounded(read.at(-1) ?? []), rounded([stated]), `${topic} ${of}`);
  }
  t.end();
});
