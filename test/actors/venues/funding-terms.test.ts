/** For how many hours the rates of the fixtures are stated, what they are for 8, and when they are charged: `T` is 16:00 UTC. */
import t from 'tap';
import { okx } from '../../../actors/venues/okx/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { type Row, table, wordIn } from '../../support/table.ts';
import { derivativesOf, ownPoll } from './fixtures.ts';
import { context as listing, rounded } from './stream-suite.ts';

const rows = table`
  venue       part         market                  funding_rate           funding_hours funding_rate_8h        next_funding
  backpack    all          BTC_USDC_PERP           0.0000125              1             0.0001                 T
  backpack    all          kPEPE_USDC_PERP         -                      1             -                      -
  binance     linear       1000PEPEUSDT            -0.00005               4             -0.0001                T
  // An empty rate is none.
  binance     linear       BTCUSDC                 -                      -             -                      T
  binance     inverse      SOLUSD_PERP             -0.00002               4             -0.00004               T
  bingx       linear       BTC-USDC                -0.00004               1             -0.00032               T
  bingx       linear       1000PEPE-USDT           0.0002                 4             0.0004                 T
  bingx       inverse      BTC-USD                 0.000056               -             -                      T
  // The rate of the running 8 hours, not what has accrued so far.
  bitfinex    all          tBTCF0:USTF0            0.00012                8             0.00012                T
  bitfinex    all          tALGF0:USTF0            -                      8             -                      T
  // The rate of the list, not the 0.00012 of the ticker; a market that is not in the list has no interval.
  bitget      usdt-futures BTCUSDT                 0.00013                8             0.00013                T
  bitget      usdt-futures 1000BONKUSDT            -0.0004                4             -0.0008                T
  bitget      usdt-futures DOGEUSDT                0.00005                -             -                      -
  // The hours of the instrument: those of the ticker are empty.
  bybit       linear       1000PEPEUSDT            -0.0003                4             -0.0006                T
  bybit       inverse      ETHUSD                  -0.0002                8             -0.0002                T
  coinbase    perpetual    BTC-PERP                0.000009               1             0.000072               T
  coinbase    perpetual    ETH-PERP                -                      -             -                      -
  // A real zero.
  cryptocom   all          SOLUSD-PERP             0                      1             0                      T
  cryptocom   all          BTCUSD-PERP             -0.000001884           1             -0.000015072           T
  deribit     linear       1000PEPE_USDC-PERPETUAL 0.00013                8             0.00013                -
  gate        usdt         PEPE_USDT               -0.0003                4             -0.0006                T
  gate        usdt         1000SATS_USDT           0.00005                1             0.0004                 -
  htx         linear       1000PEPE-USDT           -0.00005               4             -0.0001                T
  // Without a time after the next one.
  htx         linear       ETH-USDT                0.00011                -             -                      T
  htx         inverse      BTC-USD                 0.00014                8             0.00014                T
  hyperliquid perp         BTC                     0.0000125              1             0.0001                 T
  // In coins for a contract of one dollar, times the mark price; in dollars for a coin, divided by it.
  kraken      futures      PI_XBTUSD               0.000015               1             0.00012                T
  kraken      futures      PF_XBTUSD               0.0000125              1             0.0001                 T
  // A countdown; the hours of one are in the name of its rate.
  kucoin      futures      1000PEPEUSDTM           -0.00005               2             -0.0002                T
  kucoin      futures      XBTUSDCM                0.00023                8             0.00023                T
  // Not the 0.0003 of another exchange.
  lighter     all          ${'0'}                  0.00009599999999999999 8             0.00009599999999999999 T
  // The list of rates, not the -0.00006 of the ticker; the rate of the ticker where the list has none.
  mexc        contracts    1000BONK_USDT           -0.00005               4             -0.0001                T
  mexc        contracts    ETH_USDC                0.0003                 -             -                      -
  okx         swap         BTC-USD-SWAP            0.000125               4             0.00025                T
  okx         swap         ETH-USDC-SWAP           0.00002                -             -                      T
  phemex      linear       u1000PEPEUSDT           -0.00005               4             -0.0001                T
  phemex      inverse      BTCUSD                  0.0001                 8             0.0001                 T
  whitebit    futures      BTC_PERP                0.00012                4             0.00024                T
  whitebit    futures      0G_PERP                 -                      -             -                      -
`;

const isOf = ({ venue, part, market }: Row) => `${venue} ${part} ${market}`;

t.test('rates of funding, their hours and times', async (t) => {
  for (const { venue, part, market, ...wanted } of rows) {
    const found = derivativesOf(venues[wordIn(venue) as keyof typeof venues], wordIn(part)).rows;
    const row = found.find((one) => one.market === market);
    const next = wanted.next_funding === 'T' ? Date.UTC(2025, 5, 15, 16) : wanted.next_funding;
    t.match(
      rounded(row),
      rounded({ ...wanted, next_funding: next }),
      isOf({ venue, part, market }),
    );
  }
});

t.test(
  'OKX: before its interval changes, the running rate is for the hours since the last funding',
  async (t) => {
    const swap = ownPoll(okx, 'derivatives', 'swap');
    const id = 'QRS-USDT-SWAP';
    const at = Date.UTC(2026, 2, 1, 16);
    const hoursOf = (since: number | '', next: number) => {
      const time = (hours: number) => `${at + hours * 3_600_000}`;
      const row = {
        ...{ instId: id, fundingRate: '0.0008', fundingTime: `${at}` },
        ...{ prevFundingTime: since && time(-since), nextFundingTime: time(next) },
      };
      const bodies = [{ data: [{ instId: id, markPx: '2.5' }] }, { data: [row] }];
      const { rows } = swap.parse(bodies, listing([{ market: id }]));
      return rows.map(({ funding_hours, funding_rate_8h }) => [funding_hours, funding_rate_8h]);
    };
    t.strictSame(hoursOf(8, 1), [[8, 0.0008]], 'from 8 hours to 1');
    t.strictSame(hoursOf(1, 8), [[1, 0.0064]], 'from 1 hour to 8');
    t.strictSame(hoursOf('', 4), [[4, 0.0016]], 'the first funding of a contract');
    t.strictSame(hoursOf(5, 8), [[8, 0.0008]], 'what was left of 8 hours at a change');
  },
);
