import { type PriceRow, type Reading, topics } from '../../actors/topics/index.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { datedRows, type Rates } from '../../indicators/market/fold.ts';
import { unheard } from '../../indicators/market/heard.ts';
import * as means from '../../indicators/market/prices.ts';
import { agedInputs, type Dated, type Explanation } from './explanation.ts';
import type { PriceEntry, PriceOfSymbol, PriceSummary } from './market-schemas.ts';
import type { Explained } from './symbol-view-options.ts';
import { SymbolView } from './symbols.ts';

/** A row with its exchange and its age. */
interface MarketPrice {
  exchange: string;
  row: PriceRow;
  /** Unix ms. */
  received: number;
}

/** The last trade of the leading market of each exchange, of which the mean is made. */
function explainPrice(
  { one, entries, rows }: Explained<PriceRow, PriceEntry, PriceOfSymbol>,
  rates: Rates,
): Explanation {
  const inputs = entries.flatMap(([exchange, { market, kind, quote, updated_at }]): Dated[] => {
    const isIts = ({ row }: { row: PriceRow }) => row.market === market && row.kind === kind;
    const found = rows.find((row) => row.exchange === exchange && isIts(row));
    const conversion = rates.get(quote);
    if (found === undefined || conversion === undefined) return [];
    const isOut = one.exchanges[exchange]?.excluded === true;
    return [
      {
        exchange,
        market,
        value: found.row.price,
        unit: quote,
        conversion,
        weight: isOut ? 0 : 1 / one.exchange_count,
        received_at: updated_at,
        excluded: isOut ? 'more than 10 % from the median' : null,
      },
    ];
  });
  return {
    field: 'average_price',
    result: one.average_price,
    method: 'weighted_sum',
    rule: 'Of each exchange the last trade of its most traded dollar market, in US dollars by the live rate of its quote; those within 10 % of the median count the same.',
    inputs: agedInputs(inputs),
  };
}

/** The entry as an answer shows it: as a rule the entry itself, whose text is there already. */
function markedPrice(entry: PriceEntry, excluded: boolean, now: number): PriceEntry {
  const marks = unheard(means.priceHeard(entry), now);
  if (!excluded && marks.unheard_since === undefined) return entry;
  return { ...entry, ...marks, ...(excluded && { excluded: true }) };
}

/**
 * The answers of `/v1/prices`: per exchange the last trade of its most traded dollar market, over the exchanges
 * the plain mean, outliers marked, readings older than five minutes left out and named.
 */
export class PricesView extends SymbolView<PriceRow, PriceEntry, PriceOfSymbol, PriceSummary> {
  readonly #rates: RateBook;

  constructor() {
    const rates = new RateBook();
    super({
      maxAge: topics.prices.maxAge,
      fold: (readings, now) =>
        means.foldPrices(readings, { rates: rates.current(), now, maxAge: topics.prices.maxAge }),
      heard: means.priceHeard,
      one(symbol, entries, now) {
        const found = means.averagePrice(entries);
        const marked = entries.map(([exchange, entry]): [string, PriceEntry] => [
          exchange,
          markedPrice(entry, found.isExcluded(entry.price), now),
        ]);
        return {
          symbol,
          average_price: found.mean,
          median_price: found.median,
          ...(found.disputed && { disputed: true }),
          exchange_count: found.count,
          exchanges: Object.fromEntries(marked),
        };
      },
      explain: (found) => explainPrice(found, rates.current()),
      summary(_symbol, entries, now) {
        const found = means.averagePrice(entries);
        return {
          average_price: found.mean,
          ...(found.disputed && { disputed: true }),
          exchange_count: found.count,
          updated_at: found.updated_at,
          ...unheard(found.heard, now),
        };
      },
    });
    this.#rates = rates;
  }

  override accept(reading: Reading<PriceRow>, now: number): boolean {
    this.#rates.accept(reading);
    return super.accept(reading, now);
  }

  override expire(now: number): void {
    this.#rates.expire(now);
    super.expire(now);
  }

  /** 24 h turnover of a symbol at one exchange, USD; null when none is known. */
  turnover(exchange: string, symbol: string): number | null {
    return this.entry(exchange, symbol)?.volume_24h || null;
  }

  /** USD per unit of each dollar quote. */
  rates(): Rates {
    return this.#rates.current();
  }

  /** The fresh rows of all markets with their exchange. `now` is Unix ms. */
  *fresh(now: number): Iterable<MarketPrice> {
    const since = now - topics.prices.maxAge;
    for (const exchange of this.exchanges()) {
      for (const { row, received } of datedRows(this.readings(exchange))) {
        if (received >= since) yield { exchange, row, received };
      }
    }
  }

  /** The newest row of a market of an asset, a spot one where no kind is given; `held` where it is frozen or held back. Undefined without one. */
  rowOf(
    exchange: string,
    {
      symbol,
      market,
      kind = 'spot',
    }: Pick<PriceRow, 'symbol' | 'market'> & Partial<Pick<PriceRow, 'kind'>>,
  ) {
    for (const reading of this.readings(exchange)) {
      const row = reading.at(market);
      if (row?.symbol !== symbol || row.kind !== kind) continue;
      const isSuspect = reading.suspect?.some((one) => one.market === market) === true;
      const held = reading.frozen === true || isSuspect;
      return { row, received: row.received ?? reading.received, held };
    }
    return undefined;
  }

  /** The fresh rows of an asset. */
  markets(symbol: string, now: number): MarketPrice[] {
    const since = now - topics.prices.maxAge;
    return [...this.exchanges()].flatMap((exchange) =>
      [...datedRows(this.readingsOf(exchange, symbol))].flatMap((dated) =>
        dated.received >= since ? [{ exchange, ...dated }] : [],
      ),
    );
  }

  /**
   * The market that a base asset stands for on one exchange, of one kind where it is given: the most traded dollar
   * market, spot before perpetual; a market in another quote only where there is none in dollars. Null without any.
   */
  marketFor(exchange: string, symbol: string, kind?: PriceRow['kind']): PriceRow | null {
    const found = [...this.readings(exchange)]
      .flatMap((reading) => reading.of(symbol))
      .filter((row) => kind === undefined || row.kind === kind);
    // Turnovers in different quotes cannot be compared.
    const inDollars = found.filter(({ quote }) => dollarQuotes.has(quote));
    const rows = inDollars.length > 0 ? inDollars : found;
    rows.sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0));
    return rows.find((row) => row.kind === 'spot') ?? rows[0] ?? null;
  }
}

/** USD per unit of each dollar quote, of the exchanges that trade it against USD (`dollarRate`), else 1. */
class RateBook {
  readonly #stated = new Map<string, { rates: Rates; received: number }>();
  #current: Rates = new Map([...dollarQuotes].map((quote) => [quote, 1]));

  accept(reading: Reading<PriceRow>): void {
    const { source, part, received } = reading;
    const since = received - topics.prices.maxAge;
    const rates = means.statedRates(reading, { quotes: dollarQuotes, since });
    const key = `${source}/${part}`;
    if (rates.size > 0) this.#stated.set(key, { rates, received });
    else if (!this.#stated.delete(key)) return;
    this.#derive();
  }

  expire(now: number): void {
    for (const [key, { received }] of this.#stated) {
      if (now - received > topics.prices.maxAge && this.#stated.delete(key)) this.#derive();
    }
  }

  current(): Rates {
    return this.#current;
  }

  #derive(): void {
    const stated = [...this.#stated.values()].map(({ rates }) => rates);
    this.#current = means.dollarRates(stated, dollarQuotes);
  }
}
