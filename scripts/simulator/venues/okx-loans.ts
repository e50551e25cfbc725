/** OKX: what it lends at, and what lenders get. */

import { plain } from '../format.ts';
import { annualRate, borrowLimit } from '../market/borrowing.ts';
import type { Ask } from '../venue.ts';
import { Refused } from '../venue.ts';

const venue = 'okx';
const hour = 3_600_000;
const ok = (data: unknown[]) => ({ code: '0', msg: '', data });
const refuse = (code: string, msg: string): never => {
  throw new Refused(400, { code, data: [], msg });
};
/** A lender gets less than a borrower pays. */
const lent = 0.85;

/** `public/interest-rate-loan-quota`: daily fractions of every coin. */
export function loanQuota({ model, now }: Ask) {
  const lendable = model.assets.filter(({ kind, listed }) => kind !== 'equity' && listed <= now);
  const basic = lendable.map(({ symbol, price }) => ({
    ccy: symbol,
    quota: plain(borrowLimit(price), 0),
    rate: plain(annualRate(model.seed, [venue, symbol], now) / 365, 8),
  }));
  return ok([{ basic }]);
}

/** `finance/savings/lending-rate-history?ccy=&limit=&after=&before=`: hours, newest first, annual fractions. */
export function lendingHistory({ query, model, now }: Ask) {
  const ccy = query.get('ccy') ?? 'USDT';
  const limit = Number(query.get('limit') ?? 100);
  if (!(limit >= 1 && limit <= 100)) return refuse('51000', 'Parameter limit error');
  if (!model.assets.some(({ symbol }) => symbol === ccy))
    return refuse('51000', 'Parameter ccy error');
  const newest = Math.min(now, Number(query.get('after') ?? now + 1) - 1);
  const first = Math.floor(newest / hour) * hour;
  const times = Array.from({ length: limit }, (_, at) => first - at * hour);
  return ok(
    times
      .filter((time) => time > Number(query.get('before') ?? 0))
      .map((time) => ({
        ccy,
        rate: plain(lent * annualRate(model.seed, [venue, ccy], time), 4),
        ts: String(time),
      })),
  );
}
