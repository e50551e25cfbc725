/** `public/instruments` of OKX: every key the venue sends for its spot pairs and its contracts. */
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const large = '9999999999.0000000000000000';
const states = { live: 'live', halted: 'suspend', preopen: 'preopen' } as const;

const common = (market: Market) => ({
  alias: '',
  auctionEndTime: '',
  category: '1',
  expTime: market.expires === undefined ? '' : String(market.expires),
  instId: market.id,
  instType: market.group,
  listTime: String(market.listed),
  lotSz: plain(10 ** -market.lot, market.lot),
  maxIcebergSz: large,
  maxLmtAmt: '20000000',
  maxLmtSz: '9999999999',
  maxStopSz: '1000000',
  maxTriggerSz: large,
  maxTwapSz: large,
  minSz: plain(10 ** -market.lot, market.lot),
  optType: '',
  ruleType: 'normal',
  state: states[market.state],
  stk: '',
  tickSz: plain(10 ** -market.decimals, market.decimals),
});

const spot = (market: Market) => ({
  ...common(market),
  baseCcy: market.symbol,
  ctMult: '',
  ctType: '',
  ctVal: '',
  ctValCcy: '',
  instFamily: '',
  lever: '',
  maxMktAmt: '1000000',
  maxMktSz: '1000000',
  quoteCcy: market.quote,
  settleCcy: '',
  uly: '',
});

const contract = (market: Market) => ({
  ...common(market),
  baseCcy: '',
  contTdSwTime: '',
  ctMult: '1',
  ctType: market.inverse ? 'inverse' : 'linear',
  ctVal: plain(market.contract, 12),
  ctValCcy: market.inverse ? 'USD' : market.symbol,
  futureSettlement: false,
  instFamily: `${market.symbol}-${market.quote}`,
  instIdCode: 10_000 + (market.seed % 90_000),
  lever: '100',
  maxMktAmt: '',
  maxMktSz: '30000',
  maxPlatOILmt: '',
  openType: '',
  posLmtAmt: '',
  posLmtPct: '',
  preMktSwTime: '',
  quoteCcy: '',
  settleCcy: market.inverse ? market.symbol : market.quote,
  tradeQuoteCcyList: [],
  uly: `${market.symbol}-${market.quote}`,
});

/** An announced instrument has its id, its type and its state, and nothing else. */
const announced = (market: Market) => ({
  instId: market.id,
  instType: market.group,
  state: states[market.state],
});

const row = (market: Market) => {
  if (market.state === 'preopen') return announced(market);
  return market.group === 'SPOT' ? spot(market) : contract(market);
};

/** `public/instruments?instType=`, with `instId` only that one. */
export function instruments({ query, model, now }: Ask) {
  const type = query.get('instType') ?? '';
  if (!['SPOT', 'SWAP', 'FUTURES'].includes(type)) {
    throw new Refused(400, { code: '51000', data: [], msg: 'Parameter instType error' });
  }
  const id = query.get('instId');
  const found = model.markets('okx', now, type).filter((m) => id === null || m.id === id);
  if (found.length === 0) {
    throw new Refused(200, { code: '51001', data: [], msg: 'Instrument ID does not exist' });
  }
  return { code: '0', msg: '', data: found.map(row) };
}
