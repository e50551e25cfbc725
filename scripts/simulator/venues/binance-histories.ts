/** `/futures/data` of Binance: histories of 30 days. USD-M is asked by `symbol`, COIN-M by `pair`. */
import { fixed } from '../format.ts';
import type { Market } from '../market.ts';
import { type Row, rowsOf } from '../rows.ts';
import type { Ask } from '../venue.ts';
import { factsOf, marketIn, parameters, ranged } from './binance-form.ts';

const depth = 30 * 86_400_000;
const isCoin = ({ query }: Ask) => query.has('pair');

/** The perpetual that is asked about. */
function contractOf(ask: Ask): Market {
  if (!isCoin(ask)) return marketIn('binance', ask, 'fapi');
  const query = new URLSearchParams({ symbol: `${ask.query.get('pair')}_PERP` });
  return marketIn('binance', { ...ask, query }, 'dapi');
}

const page = `
  in period 5m 15m 30m 1h 2h 4h 6h 12h 1d; rows limit 30 500; ${ranged}; taken; ended; always`;

/** One row for each interval that has ended; of COIN-M with the pair, and in some with the type of contract. */
const history = (usual: Row, ofCoins: Row = usual, isTyped = false) => {
  const [linear, inverse] = [usual, ofCoins].map((row) => parameters.page(row, page));
  return (ask: Ask) => {
    const { query, now } = ask;
    const oldest = now - depth;
    const start = query.get('startTime');
    if (start !== null && Number(start) < oldest) parameters.refuse('startTime', ask);
    const market = contractOf(ask);
    const made = (isCoin(ask) ? inverse : linear)?.(ask, market) ?? [];
    const kept = made.filter(({ timestamp }) => Number(timestamp) >= oldest);
    if (!isCoin(ask)) return kept;
    const type = isTyped ? { contractType: query.get('contractType') ?? 'ALL' } : {};
    return kept.map((one) => ({ pair: query.get('pair'), ...type, ...one }));
  };
};

const facts = factsOf(-1);
const { row } = rowsOf(
  'binance',
  {
    ...facts,
    soldBase: (sight) => sight.stretch.base - facts.boughtBase(sight),
    ratio: ({ stretch: { quantity, bought } }) =>
      quantity > bought ? bought / (quantity - bought) : 0,
    own: ({ interest, market }) => (market.inverse ? interest.contracts : interest.base),
    worth: ({ interest, market }) => (market.inverse ? interest.base : interest.value),
  },
  { write: fixed },
);

const interest = 'sumOpenInterest=own.8 sumOpenInterestValue=worth.8 timestamp=now';
/** `openInterestHist`: base units and dollars, of COIN-M contracts and base units. */
export const interestHistory = history(row(`symbol=id ${interest}`), row(interest), true);

const shares = (noun: string, of: string) =>
  `long${noun}=long${of}.4 short${noun}=short${of}.4 longShortRatio=ratio${of}.4 timestamp=now`;
/** `globalLongShortAccountRatio` and its kin: shares of long and short; COIN-M has other names for positions. */
export const ratios = (of: 'Accounts' | 'TopAccounts' | 'TopPositions') =>
  history(
    row(`symbol=id ${shares('Account', of)}`),
    row(shares(of === 'TopPositions' ? 'Position' : 'Account', of)),
  );

/** `takerlongshortRatio` of USD-M: base units. */
export const takerRatios = history(
  row('buySellRatio=ratio.4 buyVol=bought sellVol=sold timestamp=now'),
);
/** `takerBuySellVol` of COIN-M: contracts and base units. */
export const takerVolumes = history(
  row('symbol=id'),
  row(`
    takerBuyVol=bought takerSellVol=sold takerBuyVolValue=boughtBase.8
    takerSellVolValue=soldBase.8 timestamp=now`),
  true,
);
