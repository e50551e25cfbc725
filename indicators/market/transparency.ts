/** How much an exchange shows of itself: a score of our own, 0 to 100. */

import { quotientOf } from './assets.ts';
import { dayLength } from './days.ts';
import type { ExchangeReserves, ExchangeTrust } from './rows.ts';

/** Letters by the least score for each. */
export const grades = [
  { least: 80, grade: 'A' },
  { least: 60, grade: 'B' },
  { least: 40, grade: 'C' },
  { least: 20, grade: 'D' },
  { least: 0, grade: 'E' },
] as const;

/** One of the letters. */
export type Grade = (typeof grades)[number]['grade'];

/** The letter of a score. */
export const gradeOf = (score: number): Grade =>
  (grades.find(({ least }) => score >= least) ?? grades[4]).grade;

/** 40 for published wallets that hold something, 15 for a link to them alone. */
const walletPoints = ({ reserves_usd: reserves, wallets_url: url }: ExchangeReserves) =>
  reserves !== null ? 40 : url !== null ? 15 : 0;

/** 25 for an audit of the last 180 days, 15 of the last year, 5 for an older one. */
function auditPoints(audited: number | null, now: number): number {
  if (audited === null || audited > now) return 0;
  const age = (now - audited) / dayLength;
  return age <= 180 ? 25 : age <= 365 ? 15 : 5;
}

/** 20 for reserves without any own token, none for those of which half or more are. */
const cleanPoints = (ratio: number | null) =>
  ratio === null ? 0 : 20 * Math.min(Math.max((ratio - 0.5) / 0.5, 0), 1);

/** 15 while open interest is at most half the reserves, 10 up to all, 5 up to twice; 10 for spot only. */
function leveragePoints(row: ExchangeReserves, ratio: number | null): number {
  if (ratio !== null) return ratio <= 0.5 ? 15 : ratio <= 1 ? 10 : ratio <= 2 ? 5 : 0;
  const { open_interest_usd: interest, derivatives_volume_24h_usd: derivatives } = row;
  const spotOnly = interest === null && derivatives === null && row.spot_volume_24h_usd !== null;
  return spotOnly ? 10 : 0;
}

/** The parts of the score of an exchange at `now`, Unix ms. */
export const transparencyPoints = (row: ExchangeReserves, now: number) => ({
  wallets: walletPoints(row),
  audit: auditPoints(row.last_audit_at, now),
  clean_reserves: cleanPoints(quotientOf(row.clean_reserves_usd, row.reserves_usd)),
  leverage: leveragePoints(row, quotientOf(row.open_interest_usd, row.reserves_usd)),
});

/** The score of an exchange at `now`, to one decimal: what it does not publish earns nothing. */
export function transparency(row: ExchangeReserves, now: number) {
  const clean = quotientOf(row.clean_reserves_usd, row.reserves_usd);
  const leverage = quotientOf(row.open_interest_usd, row.reserves_usd);
  const { wallets, audit, clean_reserves, leverage: held } = transparencyPoints(row, now);
  const score = Math.round((wallets + audit + clean_reserves + held) * 10) / 10;
  return {
    ...row,
    score,
    grade: gradeOf(score),
    clean_ratio: clean,
    leverage_ratio: leverage,
    wallets_published: row.reserves_usd !== null,
  };
}
export type Transparency = ReturnType<typeof transparency>;

/** The second choice, of another's judgement: CoinGecko's 1 to 10, times ten. Null where it gives none. */
export function trustScore({ trust_score: trust }: ExchangeTrust): {
  score: number;
  grade: Grade;
} | null {
  return trust === null ? null : { score: trust * 10, grade: gradeOf(trust * 10) };
}
