/** Bybit: spot margin. */
import { fixed } from '../format.ts';
import { annualRate, borrowLimit } from '../market/borrowing.ts';
import type { Ask } from '../venue.ts';

const tiers = ['No VIP', 'VIP-1', 'VIP-2'];

/** `spot-margin-trade/data?vipLevel=&currency=`: hourly fractions; one currency cannot be borrowed. */
export function loans({ query, model, now }: Ask) {
  const wanted = query.get('currency');
  const lendable = model.assets.filter(({ kind, listed }) => kind !== 'equity' && listed <= now);
  const list = lendable.map(({ symbol, price }, at) => ({
    borrowable: true,
    collateralRatio: '0.98',
    currency: symbol,
    hourlyBorrowRate: fixed(annualRate(model.seed, ['bybit', symbol], now) / 8760, 16),
    liquidationOrder: String(at + 1),
    marginCollateral: true,
    maxBorrowingAmount: String(borrowLimit(price)),
  }));
  const off = {
    ...{ borrowable: false, collateralRatio: '0', currency: 'OFF', hourlyBorrowRate: '' },
    ...{ liquidationOrder: '', marginCollateral: false, maxBorrowingAmount: '' },
  };
  const shown = [...list, off].filter(({ currency }) => wanted === null || currency === wanted);
  const level = query.get('vipLevel');
  const vipCoinList = tiers
    .filter((tier) => level === null || tier === level)
    .map((vipLevel) => ({ list: shown, vipLevel }));
  return { retCode: 0, retMsg: 'success', result: { vipCoinList }, retExtInfo: '{}', time: now };
}
