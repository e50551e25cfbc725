/** Recorded answers with histories: the points that are in them by the documents of the exchange, oldest first. */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { instrument } from '../../support/makers.ts';
import { absent, recording } from '../../support/recordings.ts';
import { numberIn, type Row, table, wordIn } from '../../support/table.ts';
import { rounded } from './stream-suite.ts';
import { isHistory } from './suite/ranges.ts';

const now = 1_790_000_000_000;

/** A history, its recording and market, and a point of it; `at` counts the points. */
const recorded = table`
  venue       history             file                                 part         market        contract inverse at   timestamp         rate                 hours predicted base                 usd
  okx         fundingHistory      analytics-funding-rate-history       swap         BTC-USDT-SWAP .        .       0    1_597_026_383_085 0.017                8     0.018     .                    .
  bybit       fundingHistory      analytics-funding-history            linear       ETHPERP       .        .       0    1_672_041_600_000 0.0001               8     .         .                    .
  htx         fundingHistory      analytics-v5-funding-rate-history    linear       BTC-USDT      .        .       0    1_603_296_000_000 0.0001               8     .         .                    .
  htx         fundingHistory      analytics-coin-swap-historical-funding linear     BTC-USDT      .        .       0    1_781_251_200_000 0.0001               8     .         .                    .
  bitget      fundingHistory      funding-history                      usdt-futures BTCUSDT       .        .       0    1_695_715_200_000 0.000013             .     .         .                    .
  bitget      fundingHistory      funding-history                      usdt-futures BTCUSDT       .        .       1    1_695_776_400_000 0.0005               .     .         .                    .
  kucoin      fundingHistory      funding-history                      futures      IDUSDTM       .        .       0    1_702_310_700_000 0.01875              8     .         .                    .
  gate        fundingHistory      funding-history                      usdt         BTC_USDT      .        .       0    1_543_968_000_000 0.000157             8     .         .                    .
  kraken      fundingHistory      futures-funding-history              futures      PI_XBTUSD     .        .       0    1_656_374_400_000 -0.000016898883333333 1    .         .                    .
  kraken      fundingHistory      futures-funding-history              futures      PI_XBTUSD     .        .       1    1_656_388_800_000 -5.40935416667e-7    1     .         .                    .
  kraken      fundingHistory      futures-funding-history              futures      PI_XBTUSD     .        .       2    1_656_403_200_000 -0.000008521190625   1     .         .                    .
  // The fraction, not the amount of 2.189e-7 ETH for a contract of one USD.
  kraken      fundingHistory      analytics-futures-historical-funding futures      PI_ETHUSD     .        .       0    1_535_731_200_000 0.00006077996        1     .         .                    .
  hyperliquid fundingHistory      analytics-funding-history            perp         ETH           .        .       0    1_704_290_400_031 0.0000125            1     .         .                    .
  hyperliquid fundingHistory      funding-history                      perp         BTC           .        .       0    1_769_908_800_000 0.0000125            1     .         .                    .
  hyperliquid fundingHistory      funding-history                      perp         BTC           .        .       1    1_769_912_400_000 -0.0000081           1     .         .                    .
  dydx        fundingHistory      funding-history                      perp         BTC-USD       .        .       0    1_765_202_400_112 0.000000625          1     .         .                    .
  dydx        fundingHistory      funding-history                      perp         BTC-USD       .        .       2    1_765_209_600_219 0.000002375          1     .         .                    .
  deribit     fundingHistory      funding-history                      inverse      BTC-PERPETUAL .        .       0    1_569_891_600_000 -4.739622041017375e-7 1    .         .                    .
  bitfinex    fundingHistory      analytics-deriv-status-hist          all          tBTCF0:USTF0  .        .       0    1_706_284_800_000 0.00007587           8     .         .                    .
  okx         openInterestHistory analytics-oi-history                 swap         BTC-USDT-SWAP .        .       -1   1_701_417_600_000 .                    .     .         111                  8_888_888
  // Dollars, of both sides.
  bybit       openInterestHistory analytics-open-interest              inverse      BTCUSD        .        true    0    1_669_571_100_000 .                    .     .         -                    461_134_292/2
  bybit       openInterestHistory analytics-open-interest              inverse      BTCUSD        .        true    1    1_669_571_400_000 .                    .     .         -                    461_134_384/2
  // Both sides.
  htx         openInterestHistory analytics-his-open-interest          linear       BTC-USDT      .        .       0    1_648_220_400_000 .                    .     .         4385.435/2           194_059_884.185/2
  bitfinex    openInterestHistory analytics-deriv-status-hist          all          tBTCF0:USTF0  .        .       0    1_706_292_000_000 .                    .     .         5775.20348804        5775.20348804*42_134.1
  kucoin      openInterestHistory open-interest-history                futures      XBTUSDTM      0.001    .       0    1_767_002_400_000 .                    .     .         4568.791             -
  kucoin      openInterestHistory open-interest-history                futures      XBTUSDTM      0.001    .       1    1_767_004_200_000 .                    .     .         4615.535             -
  // 2,851,725 contracts of 10 and 9,872,386.7775 dollars count both sides.
  gate        openInterestHistory analytics-contract-stats             usdt         ADA_USDT      10       .       0    1_674_057_000_000 .                    .     .         14_258_625           4_936_193.38875
`;
/** Long and short, and what takers bought and sold. */
const shares = table`
  venue  history     file                                part         market        at  timestamp         long                                 short                buy_base  sell_base
  // Its own ratio of the two is none.
  bitget longShort   analytics-account-long-short        usdt-futures BTCUSDT       0   1_729_312_200_000 0.58                                 0.42                 .         .
  bybit  longShort   analytics-account-ratio             linear       BTCUSDT       0   1_729_123_200_000 0.5707                               0.4293               .         .
  gate   longShort   analytics-contract-stats            usdt         ADA_USDT      0   .                 3.2808988764045/4.2808988764045      1/4.2808988764045    .         .
  htx    longShort   analytics-elite-account-ratio       linear       BTC-USDT      0   1_638_115_200_000 0.5                                  0.5                  .         .
  okx    longShort   analytics-long-short-account-contract swap       BTC-USDT-SWAP 0   .                 0.9398602814619824/1.9398602814619824 1/1.9398602814619824 .         .
  // The sellers first.
  okx    takerVolume analytics-taker-volume-spot         spot         BTC-USDT      0   1_630_339_200_000 .                                    .                    7002.7541 5312.7876
`;

/** The points that a history has in its recording. */
function pointsIn({ venue: id, history, file, part, market, contract, inverse, hours }: Row) {
  const venue: Venue = venues[wordIn(id) as keyof typeof venues];
  const found = Object.entries<object>(venue.queries).filter(isHistory);
  const query = found.find(([name]) => name === history)?.[1];
  // A row alone has the hours of its market.
  const funding_hours = hours === 8 ? 8 : null;
  const facts = { contract: numberIn(contract ?? 1), inverse: inverse === true, funding_hours };
  const asked = { market: wordIn(market), part: wordIn(part), now, limit: 100 };
  const series = { ...asked, interval: '1h', of: 'accounts' } as const;
  const body = recording(venue.id, wordIn(file))?.response;
  return query?.parse([body, undefined], { ...series, instrument: instrument(facts) }, now).points;
}

t.test('recorded points', { skip: absent }, async (t) => {
  for (const row of [...recorded, ...shares]) {
    const { venue, history, file, part: _, market: __, contract: ___, inverse, at, ...point } = row;
    const found = pointsIn(row)?.at(numberIn(at));
    t.match(rounded(found), rounded(point), `${venue} ${history} ${file} ${at}`);
  }
});
