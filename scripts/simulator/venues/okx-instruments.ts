/** `public/instruments` of OKX: every key the venue sends for its spot pairs and its contracts. */
import type { Market } from '../market.ts';
import { type Row, rowsWith } from '../rows.ts';
import { type Ask, Refused } from '../venue.ts';

const states = { live: 'live', halted: 'suspend', preopen: 'preopen' } as const;

const { row } = rowsWith({
  group: ({ market }) => market.group,
  state: ({ market }) => states[market.state],
  expiry: ({ market }) => (market.expires === undefined ? '' : String(market.expires)),
  type: ({ market }) => (market.inverse ? 'inverse' : 'linear'),
  unit: ({ market }) => (market.inverse ? 'USD' : market.symbol),
  family: ({ market }) => `${market.symbol}-${market.quote}`,
  code: ({ market }) => 10_000 + (market.seed % 90_000),
});

const large = "'9999999999.0000000000000000'";
const common = `
  alias='' auctionEndTime='' category='1' expTime=expiry instId=id instType=group listTime=$listed
  lotSz=step maxIcebergSz=${large} maxLmtAmt='20000000' maxLmtSz='9999999999' maxStopSz='1000000'
  maxTriggerSz=${large} maxTwapSz=${large} minSz=step optType='' ruleType='normal' state stk=''
  tickSz=tick`;
const spot = row(`
  ${common} baseCcy=symbol ctMult='' ctType='' ctVal='' ctValCcy='' instFamily='' lever=''
  maxMktAmt='1000000' maxMktSz='1000000' quoteCcy=quote settleCcy='' uly=''`);
const contract = row(`
  ${common} baseCcy='' contTdSwTime='' ctMult='1' ctType=type ctVal=contract.12 ctValCcy=unit
  futureSettlement=false instFamily=family instIdCode=code lever='100' maxMktAmt=''
  maxMktSz='30000' maxPlatOILmt='' openType='' posLmtAmt='' posLmtPct='' preMktSwTime=''
  quoteCcy='' settleCcy=settle tradeQuoteCcyList=[] uly=family`);
/** An announced instrument has its id, its type and its state, and nothing else. */
const announced = row('instId=id instType=group state');

const rowOf = ({ state, group }: Market): Row =>
  state === 'preopen' ? announced : group === 'SPOT' ? spot : contract;

/** `public/instruments?instType=`, with `instId` only that one. */
export function instruments(ask: Ask) {
  const { query, model, now } = ask;
  const type = query.get('instType') ?? '';
  if (!['SPOT', 'SWAP', 'FUTURES'].includes(type)) {
    throw new Refused(400, { code: '51000', data: [], msg: 'Parameter instType error' });
  }
  const id = query.get('instId');
  const found = model.markets('okx', now, type).filter((m) => id === null || m.id === id);
  if (found.length === 0) {
    throw new Refused(200, { code: '51001', data: [], msg: 'Instrument ID does not exist' });
  }
  return { code: '0', msg: '', data: found.map((market) => rowOf(market)(market, ask)) };
}
