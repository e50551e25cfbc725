/** What OKX says of a market: every number is a string. */
import { isLive } from '../answers.ts';
import { plain } from '../format.ts';
import type { Market } from '../market.ts';
import { Parameters } from '../pages.ts';
import { type Row, rowsOf, type Sight } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

export const venue = 'okx';

export const ok = (data: unknown[]) => ({ code: '0', msg: '', data });
export const refuse = (status: number, code: string, msg: string): never => {
  throw new Refused(status, { code, data: [], msg });
};
export const parameters = new Parameters((name) => refuse(400, '51000', `Parameter ${name} error`));
export const required = ({ query }: Ask, name: string): string =>
  query.get(name) || refuse(400, '50014', `Parameter ${name} can not be empty`);

export const groupOf = (id: string): string =>
  id.endsWith('-SWAP') ? 'SWAP' : /-\d{6}$/.test(id) ? 'FUTURES' : 'SPOT';
export const marketOf = (ask: Ask): Market => {
  const id = required(ask, 'instId');
  const unknown = "Instrument ID, Instrument ID code, or Spread ID doesn't exist.";
  return ask.model.market(venue, groupOf(id), id, ask.now) ?? refuse(200, '51001', unknown);
};
export const swapOf = (ask: Ask): Market => {
  const market = marketOf(ask);
  return market.group === 'SWAP' ? market : parameters.refuse('instId', ask);
};
/** The market that stands for a currency. */
export const currencyOf = (ask: Ask): Market => {
  const group = ask.query.get('instType') === 'SPOT' ? 'SPOT' : 'SWAP';
  const id = `${required(ask, 'ccy')}-USDT${group === 'SPOT' ? '' : '-SWAP'}`;
  return ask.model.market(venue, group, id, ask.now) ?? parameters.refuse('ccy', ask);
};
/** Markets of `instType` that trade, or the one of `instId`. */
export const trading = (ask: Ask): readonly Market[] => {
  const type = required(ask, 'instType');
  if (!['SPOT', 'SWAP', 'FUTURES'].includes(type)) parameters.refuse('instType', ask);
  if (ask.query.has('instId')) return [marketOf(ask)];
  return ask.model.markets(venue, ask.now, type).filter(isLive);
};

/** What takers bought, and what they sold, in a unit. */
export const taken = (unit: 'base' | 'quantity' | 'turnover') => {
  const buy = ({ stretch }: Sight) =>
    stretch.quantity === 0 ? 0 : (stretch[unit] * stretch.bought) / stretch.quantity;
  return rowsOf(venue, { buy, sell: (sight) => sight.stretch[unit] - buy(sight) }).list(
    '$now sell.8 buy.8',
  );
};

export const { row, list } = rowsOf(venue, {
  dollarContracts: ({ market, stretch }) => stretch.quantity * market.contract,
  contracts: ({ interest }) => interest.contracts,
  oi: ({ market, interest }) => plain(interest.contracts, market.lot),
  dollars: ({ market, interest }) => interest.value * (market.dollars ?? 1),
  indexId: ({ market }) => market.id.replace('-SWAP', ''),
});

const state = 'state=state:live/suspend/preopen';
export const common = `
  expTime=isDated?$expires:'' instId=id instType=group listTime=$listed lotSz=step minSz=step`;
export const spotInfo = row(
  `${common} ${state} tickSz=tick quoteCcy=quote`,
  'spot-instruments data',
);
export const contractInfo = row(
  `${common} ${state} tickSz=tick ctType=isInverse:inverse/linear ctVal=contract.12
  instFamily='{symbol}-{quote}'`,
  'swap-instruments bodies.0.data',
);
/** An announced instrument has its id, its type and its state, and nothing else. */
export const announced = row(`instId=id instType=group ${state}`);
export const infoOf: Row = (market, at) => {
  const own = market.group === 'SPOT' ? spotInfo : contractInfo;
  return (market.state === 'preopen' ? announced : own)(market, at);
};

export const names = 'instType=group instId=id';
export const tickerRow = row(
  `${names} last=close askPx=ask bidPx=bid open24h=open high24h=high low24h=low volCcy24h=isSpot?turnover:base
  vol24h=quantity ts=$now`,
  'swap-prices data',
);
/** Contracts, base and USD, one side. */
export const interest = row('instId=id instType=group oi oiCcy=interest.8 oiUsd=dollars.4 ts=$now');
export const funding = row(`
  ${names} method='current_period' fundingRate=rate.16 fundingTime=$next nextFundingTime=$afterNext
  premium=premium.16 ts=$now`);
export const mark = row(`${names} markPx=mark+1 ts=$now`);
/** An index has the id of its spot pair. */
export const indexTicker = row(
  'instId=indexId idxPx=index+0 high24h=high low24h=low open24h=open ts=$now',
);
export const level = list("price size '0' $orders");
export const trade = row(
  'instId=id side=taker sz=tradeSize px=tradePrice tradeId=$tradeId ts=$traded',
);
