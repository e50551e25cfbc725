/** Histories of HTX contracts (v5): rows ascending, numbers as strings. */
import { type Bar, openOf, opensUntil } from '../calendar.ts';
import { fixed, plain } from '../format.ts';
import type { Ask } from '../venue.ts';
import { periods } from './htx-answers.ts';
import { contractOf, v5 } from './htx-contracts.ts';

const hour = 3_600_000;
/** Rows of one answer. */
const page = 200;

/** `elite_account_ratio` (1) and `elite_position_ratio` (2). */
export const eliteRatio = (of: 1 | 2) => (ask: Ask) => {
  const market = contractOf(ask, 'linear');
  const word = ask.query.get('period') ?? '';
  const bar: Bar | undefined = word === '1day' ? { ms: 24 * hour } : periods[word];
  if (!bar) return { code: 1067, message: 'invalid period', ts: ask.now };
  const rows = opensUntil(bar, openOf(bar, market.listed), ask.now, page).map((time) => {
    const long = Number(fixed(market.longShare(time, of), 4));
    const [buy_ratio, sell_ratio] = [plain(long, 4), plain(1 - long, 4)];
    return { contract_code: market.id, buy_ratio, sell_ratio, ts: String(time) };
  });
  return v5(rows, ask);
};

/** `funding_rate_history`: at most 100, newest first. */
export const fundingHistory = (ask: Ask) => {
  const market = contractOf(ask, 'linear');
  const { query, now } = ask;
  const bar = { ms: market.fundingHours * hour };
  const from = Math.max(market.listed, Number(query.get('start_time') ?? 0));
  const until = Math.min(now, Number(query.get('end_time') ?? now));
  const rows = opensUntil(bar, from, until, Math.min(100, Number(query.get('limit') ?? 100)));
  return v5(
    rows.reverse().map((time) => ({
      id: String(time / 1000),
      contract_code: market.id,
      funding_rate: fixed(market.fundingRate(time), 18),
      funding_time: String(time),
    })),
    ask,
  );
};
