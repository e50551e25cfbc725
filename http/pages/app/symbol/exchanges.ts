/** The markets of an asset side by side. */

import { oldAfter } from '../age.ts';
import { watch } from '../ask.ts';
import type { Column } from '../columns.ts';
import { exchangeColumn, exchangeName } from '../exchange-names.ts';
import { compact, duration, percent, price, rate, share } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type FuturesPairsMarketsItem, type SpotPairsMarketsItem } from '../request.ts';
import { tablePart } from '../table-part.ts';
import { type Market, ofKind } from './candles.ts';

/** A perpetual or a spot market. */
export type Pair = FuturesPairsMarketsItem | SpotPairsMarketsItem;

/** The exchange's own id of a market. */
const idOf = (one: Pair): string => ('pair' in one ? one.pair : one.contract);
/** What spot markets do not have is null. */
const interestOf = (one: Pair) => ('contract' in one ? one.open_interest_usd : null);
const fundingOf = (one: Pair) => ('contract' in one ? one.funding_rate_8h : null);

/** The name by which a market is asked for: an id of an exchange may be of a spot market and of a perpetual. */
export function marketName(market: Pair): string {
  const { symbol, quote } = market;
  if ('pair' in market) return `${symbol}/${quote}`;
  return `${symbol}/${quote}:${market.margin_type === 'inverse' ? symbol : quote}`;
}

type Of = Pick<Market, 'symbol' | 'kind'>;

/** A market beside the others. */
type Row = Pair & {
  /** Percent from the mean by turnover; null where it is not against dollars. */
  from_mean_percent: number | null;
  /** Percent of the middle. */
  spread_percent: number | null;
  /** Part of the open interest of all. */
  open_interest_share: number | null;
  /** Since its last change, ms; null while it is none. */
  age_ms: number | null;
  /** Those of its numbers of which a newer one is held back. */
  suspect: readonly Held[];
};

/** What is known of markets from other answers, by exchange and market. */
interface Beside {
  spreads: ReadonlyMap<string, number>;
  held: Map<Held, ReadonlySet<string>>;
}

function rowsOf(pairs: readonly Pair[], { spreads, held: suspects }: Beside): Row[] {
  const dollars = pairs.filter(({ quote }) => quote.startsWith('USD'));
  const sum = (all: readonly Pair[], of: (one: Pair) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  const turnover = (one: Pair) => one.volume_24h_usd ?? 0;
  const mean = sum(dollars, (one) => one.price * turnover(one)) / sum(dollars, turnover);
  const interest = sum(pairs, (one) => interestOf(one) ?? 0);
  return pairs.map((one) => {
    const held = interestOf(one);
    const age = Date.now() - one.updated_at;
    const name = `${one.exchange} ${idOf(one)}`;
    return {
      ...one,
      suspect: [...suspects].flatMap(([number, markets]) => (markets.has(name) ? [number] : [])),
      from_mean_percent: mean > 0 && dollars.includes(one) ? (one.price / mean - 1) * 100 : null,
      spread_percent: spreads.get(name) ?? null,
      open_interest_share: held === null || interest === 0 ? null : held / interest,
      age_ms: age < oldAfter ? null : age,
    };
  });
}

/** Numbers that are held back where they jump. */
type Held = 'price' | 'open interest';

/** The mark on a number of which a newer one is held back. */
const heldMark = (number: Held) => (row: Row) =>
  row.suspect.includes(number)
    ? {
        shown: 'held back',
        why: `A newer ${number} of ${idOf(row)} on ${exchangeName(row.exchange)} differs by more than 30 %, and nothing confirms it yet. This is the last one that was confirmed.`,
      }
    : null;

const columns: readonly Column<Row>[] = [
  exchangeColumn,
  { head: 'Price', of: 'price', as: price, mark: heldMark('price') },
  {
    head: 'From mean',
    of: 'from_mean_percent',
    as: (value) => percent(value, 3),
    sign: 0.0005,
  },
  { head: 'Spread', of: 'spread_percent', as: (part) => share(part / 100, 4) },
  { head: '24 h', of: 'price_change_24h_percent', as: percent, sign: 0.005 },
  { head: 'Volume', of: 'volume_24h_usd', as: compact },
  { head: 'Open interest', of: interestOf, as: compact, mark: heldMark('open interest') },
  { head: 'Share', of: 'open_interest_share', as: share },
  { head: 'Funding 8 h', of: fundingOf, as: rate, sign: 5e-7 },
  {
    head: 'Age',
    of: 'age_ms',
    as: duration,
    tone: (one) => (one.age_ms === null ? 'soft' : 'warn'),
  },
  { head: 'Market', of: idOf, tone: 'soft' },
];

/** Keeps what is known of the markets of an asset from other answers, until the function that is returned is called. */
function followBeside(beside: Beside, { symbol, kind }: Of): () => void {
  const every = 3_000;
  const hold = (number: Held) => ({
    data({ suspect }: { suspect: readonly { exchange: string; market: string }[] }) {
      const names = suspect.map(({ exchange, market }) => `${exchange} ${market}`);
      beside.held.set(number, new Set(names));
    },
  });
  const ends = [
    // Of the books that are kept live.
    watch(at('/v1/liquidity', { symbol, kind }), every, {
      data({ items }) {
        const known = items.flatMap(({ exchange, market, spread_percent: spread }) =>
          spread === null ? [] : [[`${exchange} ${market}`, spread] as const],
        );
        beside.spreads = new Map(known);
      },
    }),
    watch(at('/v1/prices', { symbol }), every, hold('price')),
  ];
  if (kind === 'perpetual')
    ends.push(watch(at('/v1/open-interest', { symbol }), every, hold('open interest')));
  return () => {
    for (const end of ends) end();
  };
}

const every = 1_000;
const pathOf = ({ symbol, kind }: Of) =>
  at(`/v1/${ofKind[kind]}/pairs-markets`, { symbol, limit: 100 });

/** Follows the markets of an asset; `unknown` is called where no exchange lists it. */
export const followPairs = (
  of: Of,
  onData: (pairs: readonly Pair[]) => void,
  unknown: () => void,
): (() => void) =>
  watch(pathOf(of), every, {
    data: ({ items }) => onData(items),
    missing: (_, code) => code === 'unknown_symbol' && unknown(),
  });

export function exchangesPart(of: Of): Part {
  const beside: Beside = { spreads: new Map(), held: new Map() };
  const none = `No exchange lists ${of.symbol}.`;
  return tablePart({
    title: 'Exchanges',
    name: `${of.symbol}-exchanges`,
    path: pathOf(of),
    every,
    isWide: true,
    rows: ({ items }) => rowsOf(items, beside),
    columns,
    refusal: (_, code) => (code === 'unknown_symbol' ? none : undefined),
    none,
    beside: () => followBeside(beside, of),
  });
}
