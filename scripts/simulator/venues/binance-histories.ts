/** `/futures/data` of Binance: histories of 30 days. USD-M is asked by `symbol`, COIN-M by `pair`. */
import { nextOpen } from '../calendar.ts';
import { pointRows } from '../exchange.ts';
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { marketOf } from './binance-answers.ts';
import { bars, facts, integer, limitOf, missing, opensIn, refuse, style } from './binance-form.ts';

const periods = new Set(['5m', '15m', '30m', '1h', '2h', '4h', '6h', '12h', '1d']);
const depth = 30 * 86_400_000;

const isCoin = ({ query }: Ask) => query.has('pair');

/** The perpetual that is asked about. */
function contractOf(ask: Ask): Market {
  if (!isCoin(ask)) return marketOf(ask, 'fapi');
  const query = new URLSearchParams({ symbol: `${ask.query.get('pair')}_PERP` });
  return marketOf({ ...ask, query }, 'dapi');
}

/** One row for each interval that has ended; of COIN-M with the pair, and in some with the type of contract. */
const rows =
  (usual: Row, ofCoins: Row = usual, isTyped = false) =>
  (ask: Ask) => {
    const { query, now } = ask;
    const market = contractOf(ask);
    const period = query.get('period') ?? missing('period');
    const invalid = (name: string) =>
      refuse(-1130, `Data sent for parameter '${name}' is not valid.`);
    const bar = (periods.has(period) && bars[period]) || invalid('period');
    const limit = limitOf(ask, 30, 500);
    const oldest = now - depth;
    if (integer(ask, 'startTime', oldest) < oldest) invalid('startTime');
    const opens = opensIn(ask, bar, Math.max(market.listed, oldest), limit).filter(
      (time) => nextOpen(bar, time) <= now,
    );
    const made = pointRows(isCoin(ask) ? ofCoins : usual, market, { bar, opens }, ask);
    if (!isCoin(ask)) return made;
    const type = isTyped ? { contractType: query.get('contractType') ?? 'ALL' } : {};
    return made.map((one) => ({ pair: query.get('pair'), ...type, ...one }));
  };

const { row } = rowsWith(
  {
    ...facts,
    soldBase: (sight) => sight.stretch.base - facts.boughtBase(sight),
    ratio: ({ stretch: { quantity, bought } }) =>
      quantity > bought ? bought / (quantity - bought) : 0,
    own: ({ interest, market }) => (market.inverse ? interest.contracts : interest.base),
    worth: ({ interest, market }) => (market.inverse ? interest.base : interest.value),
  },
  style,
);

const interest = 'sumOpenInterest=own.8 sumOpenInterestValue=worth.8 timestamp=now';
/** `openInterestHist`: base units and dollars, of COIN-M contracts and base units. */
export const interestHistory = rows(row(`symbol=id ${interest}`), row(interest), true);

const shares = (noun: string, of: string) =>
  `long${noun}=long${of}.4 short${noun}=short${of}.4 longShortRatio=ratio${of}.4 timestamp=now`;
/** `globalLongShortAccountRatio` and its kin: shares of long and short; COIN-M has other names for positions. */
export const ratios = (of: 'Accounts' | 'TopAccounts' | 'TopPositions') =>
  rows(
    row(`symbol=id ${shares('Account', of)}`),
    row(shares(of === 'TopPositions' ? 'Position' : 'Account', of)),
  );

/** `takerlongshortRatio` of USD-M: base units. */
export const takerRatios = rows(
  row('buySellRatio=ratio.4 buyVol=bought sellVol=sold timestamp=now'),
);

/** `takerBuySellVol` of COIN-M: contracts and base units. */
export const takerVolumes = rows(
  row('symbol=id'),
  row(`
    takerBuyVol=bought takerSellVol=sold takerBuyVolValue=boughtBase.8
    takerSellVolValue=soldBase.8 timestamp=now`),
  true,
);
