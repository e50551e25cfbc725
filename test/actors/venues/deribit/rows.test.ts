import t from 'tap';
import { deribit } from '../../../../actors/venues/deribit/index.ts';
import { levels } from '../../../support/makers.ts';
import { sameRows } from '../../../support/table.ts';
import {
  askFor,
  derivativesOf,
  fixture,
  instrumentOf,
  openInterestOf,
  pricesOf,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';

const { orderBook, candles } = deribit.queries;
const stated = 1_750_000_000_321;

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(deribit, 'spot', 'BTC_USDC'),
    instrumentOf(deribit, 'linear', '1000PEPE_USDC-PERPETUAL'),
    instrumentOf(deribit, 'inverse', 'BTC-PERPETUAL'),
  ])`
    market                  kind      symbol quote scale contract inverse funding_hours tick
    BTC_USDC                spot      BTC    USDC  1     1        false   - 0.5
    1000PEPE_USDC-PERPETUAL perpetual PEPE   USDC  1000  1        false   - 0.5/1000
    BTC-PERPETUAL           perpetual BTC    USD   1     1        true    - 0.5 // contract: amounts are dollars: the 10 of contract_size are only their step
  `;
});

t.test('prices', async (t) => {
  sameRows(t, rounded(pricesOf(deribit, 'spot').rows))`
    market   kind symbol quote price   bid      ask      high      low      base volume  change stated
    // market: given in two bodies, counted once; volume: no turnover: 2.5 x 100,000
    BTC_USDC spot BTC    USDC  100_000 99_998   100_001  101_040.5 96_502.5 2.5  250_000 2.51   ${stated}
    // volume: volume_usd, without a volume_notional
    ETH_USDT spot ETH    USDT  2500    2499.947 2500.043 2578      2392.75  4    9943    3.14   ${stated}
  `;
  sameRows(t, rounded(pricesOf(deribit, 'linear').rows[1]))`
    market                  kind      symbol quote price     bid        ask        high      low       base          volume change stated
    // price: 0.0125 for a thousand; base: 5,000,000 x 1000; volume: volume_notional, not the 62,406 of volume_usd
    1000PEPE_USDC-PERPETUAL perpetual PEPE   USDC  0.0000125 0.00001249 0.00001252 0.0000129 0.0000121 5_000_000_000 62_400 -1.25  ${stated}
  `;
  const [btc, eth] = pricesOf(deribit, 'inverse').rows;
  sameRows(t, btc)`
    market        kind      symbol quote price   bid    ask     high      low      base  volume     change stated
    BTC-PERPETUAL perpetual BTC    USD   100_000 99_998 100_001 101_040.5 96_502.5 500.5 49_500_000 3.4    ${stated}
  `;
  t.match(eth, { volume: 2_000_400, change: null }, 'volume_usd where volume_notional is null');
});

t.test('funding accrues: the rate is per 8 hours and has no next time', async (t) => {
  const { rows, dropped } = derivativesOf(deribit, 'linear');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows[1]))`
    market                  symbol quote mark      index      funding_rate funding_hours funding_rate_8h next_funding stated
    // mark: 0.0126 for a thousand
    1000PEPE_USDC-PERPETUAL PEPE   USDC  0.0000126 0.00001255 0.00013      8             0.00013         -            ${stated}
  `;
  t.equal(rows.length, 3, 'a market without a last price has a mark');
  t.match(derivativesOf(deribit, 'inverse').rows, [
    { market: 'BTC-PERPETUAL', mark: 100_010, index: 100_020, funding_rate: 0.00012 },
    { market: 'ETH-PERPETUAL', mark: 2500.25, index: 2501, funding_rate: -0.00003 },
  ]);
});

t.test('open interest: base times mark, dollars on inverse contracts', async (t) => {
  const [btc, pepe] = openInterestOf(deribit, 'linear').rows;
  sameRows(t, btc)`
    market             symbol quote units value     mark    stated
    BTC_USDC-PERPETUAL BTC    USDC  12.5  1_250_125 100_010 ${stated} // value: x 100,010
  `;
  t.match(rounded(pepe), {
    units: 2_000_000_000, // 2,000,000 x 1000
    value: 25_200, // 2,000,000 x 0.0126
    mark: 0.0000126,
  });
  sameRows(t, openInterestOf(deribit, 'inverse').rows)`
    market        symbol quote units  value         mark    stated
    BTC-PERPETUAL BTC    USD   10_000 1_000_100_000 100_010 ${stated} // units: 1,000,100,000 USD / 100,010
    ETH-PERPETUAL ETH    USD   2000   5_000_500     2500.25 ${stated} // units: 5,000,500 USD / 2,500.25
  `;
});

t.test('order books', async (t) => {
  const book = (part: string, market: string) =>
    orderBook.parse(fixture(deribit, `${part}-order-book`), askFor(deribit, part, market));
  t.strictSame(book('spot', 'BTC_USDC'), {
    bids: levels([100_000, 0.5], [99_999.5, 2]),
    asks: levels([100_000.5, 0.25], [100_001, 3]),
    stated: 1_750_000_000_340,
  });
  t.strictSame(book('inverse', 'BTC-PERPETUAL'), {
    bids: levels(
      [100_000, 1.25], // 125,000 USD / 100,000
      [99_999, 3],
    ),
    asks: [{ price: 100_001, quantity: 2 }], // an empty level is none
    stated: 1_750_000_000_340,
  });
});

t.test('1000PEPE: price over 1000, quantity times 1000', async (t) => {
  {
    const known = askFor(deribit, 'linear', '1000PEPE_USDC-PERPETUAL');
    const book = orderBook.parse(fixture(deribit, 'linear-order-book'), known);
    t.match(rounded(book), {
      bids: [{ price: 0.0000125, quantity: 4_000_000 }],
      asks: [{ price: 0.0000126, quantity: 2_000_000 }],
    });
    const [bar] = candles.parse(fixture(deribit, 'linear-candles'), known);
    sameRows(t, rounded(bar))`
      timestamp         open      high      low       close     volume        turnover
      1_749_996_000_000 0.0000124 0.0000127 0.0000123 0.0000125 1_000_000_000 12_460
    `;
  }
});

t.test('candles: volume is base and cost quote, on inverse contracts too', async (t) => {
  const ask = askFor(deribit, 'inverse', 'BTC-PERPETUAL');
  sameRows(t, candles.parse(fixture(deribit, 'inverse-candles'), ask))`
    timestamp         open   high    low    close   volume turnover
    1_749_996_000_000 99_000 100_500 98_000 100_000 20.1   2_000_400 // the other has no close
  `;
});
