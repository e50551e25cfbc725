/** What the tickers of a recording say of each market: its best quotes, and what is known last of a perpetual. */
import { rounded } from '../../indicators/digits.ts';
import type { InstrumentMap, RowsOf } from '../sources/define.ts';
import type { DerivativeRow, LiveTopic, OpenInterestRow, PriceRow } from '../topics/index.ts';
import type { BestQuotesEvent, DerivativeEvent, EventType } from './events.ts';

type Known = Omit<DerivativeEvent, 'type' | 'part' | 'instrument' | 'local' | 'timestamp'>;

const nothing: Known = {
  fundingTime: null,
  fundingRate: null,
  predictedRate: null,
  openInterest: null,
  last: null,
  index: null,
  mark: null,
};

interface At {
  part: string;
  local: number;
  list: InstrumentMap;
}

export class Derivatives {
  readonly #types: ReadonlySet<EventType>;
  readonly #emit: (event: DerivativeEvent | BestQuotesEvent) => void;
  readonly #known = new Map<string, Known>();
  /** Bid and ask by market. */
  readonly #quotes = new Map<string, string>();

  constructor(
    types: ReadonlySet<EventType>,
    emit: (event: DerivativeEvent | BestQuotesEvent) => void,
  ) {
    this.#types = types;
    this.#emit = emit;
  }

  /** What was known of all markets is old. */
  forget(): void {
    this.#known.clear();
    this.#quotes.clear();
  }

  take({ prices, derivatives, openInterest }: Partial<RowsOf<LiveTopic>>, at: At): void {
    for (const row of prices?.rows ?? []) {
      this.#quote(row, at);
      if (row.kind === 'perpetual') this.#set(row, { last: row.price }, at);
    }
    for (const row of derivatives?.rows ?? []) this.#set(row, derivative(row), at);
    for (const row of openInterest?.rows ?? []) this.#set(row, this.#interest(row, at), at);
  }

  #interest({ market, value, units }: OpenInterestRow, { list }: At): Partial<Known> {
    // Contracts that are worth so much of the quote are counted by their value of one.
    const openInterest = list.get(market)?.inverse ? value : (units ?? null);
    return openInterest === null ? {} : { openInterest: rounded(openInterest) };
  }

  #quote({ market, bid, ask, stated }: PriceRow, { part, local, list }: At): void {
    const instrument = list.get(market);
    if (bid === null || ask === null || !instrument || !this.#types.has('book_ticker')) return;
    const key = `${part}/${market}`;
    const quotes = `${bid} ${ask}`;
    if (this.#quotes.get(key) === quotes) return;
    this.#quotes.set(key, quotes);
    const timestamp = stated === null ? local : stated * 1_000;
    this.#emit({ type: 'book_ticker', part, instrument, local, timestamp, bid, ask });
  }

  #set(
    { market, stated }: { market: string; stated: number | null },
    changes: Partial<Known>,
    { part, local, list }: At,
  ): void {
    const instrument = list.get(market);
    if (!instrument || !this.#types.has('derivative_ticker')) return;
    const key = `${part}/${market}`;
    const known = this.#known.get(key) ?? { ...nothing };
    const before = JSON.stringify(known);
    Object.assign(known, changes);
    this.#known.set(key, known);
    if (JSON.stringify(known) === before) return;
    const timestamp = stated === null ? local : stated * 1_000;
    this.#emit({ type: 'derivative_ticker', part, instrument, local, timestamp, ...known });
  }
}

/** What a row states; what it does not state stays as it was. */
function derivative(row: DerivativeRow): Partial<Known> {
  const { mark, index, funding_rate, next_funding, predicted_rate } = row;
  const found: Partial<Known> = {};
  if (mark !== null) found.mark = mark;
  if (index !== null) found.index = index;
  if (funding_rate !== null) found.fundingRate = funding_rate;
  if (next_funding !== null) found.fundingTime = next_funding;
  if (predicted_rate !== undefined) found.predictedRate = predicted_rate;
  return found;
}
