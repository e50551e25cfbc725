/** Reference rates of tracked assets, computed once a second out of the last trades of their leading spot markets. */
import { hash } from 'node:crypto';
import { type Reading, type ReferenceInput, topics } from '../../actors/topics/index.ts';
import * as s from '../../actors/topics/schema.ts';
import { rounded } from '../../indicators/digits.ts';
import * as references from '../../indicators/market/reference-rate.ts';
import { jsonText, jsonWith } from '../answers/json.ts';
import type { JsonText } from '../answers/json-text.ts';
import { Source } from '../answers/source.ts';
import { agedInputs, type Dated, type Explanation, explained } from './explanation.ts';
import type { PricesView } from './prices.ts';

const venue = s.named(
  'ReferenceVenue',
  s.object({
    exchange: s.exchange,
    market: s.string("The exchange's own symbol: its most traded dollar spot market."),
    price: s.number('Last trade, US dollars.'),
    weight: s.number('Fraction; those of all used markets add up to 1, all others have 0.'),
    age_ms: s.integer('Time since the price was received when the rate was computed, ms.'),
    deviation_percent: s.numberOrNull('From the median of the eligible markets; null without one.'),
    status: s.oneOf(
      ['used', 'stale', 'outlier', 'suspended', 'no_volume', 'crossed'],
      'Why it counts or not: older than 10 s, over 5 % off the median (back below 2.5 %), held back as suspect or frozen, without a known volume of 60 minutes, best bid at or above best ask.',
    ),
    volume_60m_base: s.numberOrNull('Base units traded in 60 minutes; null where not known.'),
    variance_60m: s.numberOrNull('Of 60 logarithmic returns of a minute, a squared fraction.'),
  }),
);

export const referenceRateAnswer = s.named(
  'ReferenceRate',
  s.object({
    symbol: s.symbol,
    rate: s.numberOrNull('US dollars; null where fewer than three markets can be used.'),
    reason: s.stringOrNull('Why there is no rate; null where there is one.'),
    method: s.literal('weighted-median', 'Smallest price at which half of the weight is reached.'),
    methodology: s.string('Version of the rules; a change of any of them changes it.'),
    as_of: s.unixMs('When it was computed.'),
    used: s.integer('Markets that it is made of.'),
    inputs_hash: s.string(
      'SHA-256, hexadecimal, of the lines `exchange market price weight age_ms status` of all venues in their order, with numbers as in this answer and a line feed behind each.',
    ),
    venues: s.list(venue, 'By exchange.'),
    ...explained,
  }),
);
export type ReferenceRateAnswer = s.Static<typeof referenceRateAnswer>;

/** A market with its price before and after the conversion. */
interface PricedMarket extends references.ReferenceMarket {
  quote: string;
  /** In quote. */
  quoted: number;
  /** US dollars a unit of quote. */
  dollars: number;
}

/** A rate of one second. */
interface Computed {
  rate: references.ReferenceRate;
  markets: readonly PricedMarket[];
  /** Unix ms. */
  at: number;
}

const lineOf = ({
  exchange,
  market,
  price,
  weight,
  age_ms,
  status,
}: references.ReferenceRate['venues'][number]): string =>
  `${exchange} ${market} ${rounded(price)} ${rounded(weight)} ${age_ms} ${status}\n`;

const hashOf = ({ venues }: references.ReferenceRate): string =>
  hash('sha256', venues.map(lineOf).join(''));

function explanationOf({ rate, markets, at }: Computed, result: number): Explanation {
  const inputs = rate.venues.flatMap((venue): Dated[] => {
    const { exchange, weight, status, age_ms } = venue;
    const found = markets.find((one) => one.exchange === exchange && one.market === venue.market);
    if (found === undefined) return [];
    return [
      {
        exchange,
        market: venue.market,
        value: found.quoted,
        unit: found.quote,
        conversion: found.dollars,
        weight,
        received_at: at - age_ms,
        excluded: status === 'used' ? null : status,
      },
    ];
  });
  return {
    field: 'rate',
    result,
    method: 'weighted_median',
    rule: 'The weights are the mean of the share of the volume and of the inverse variance of 60 minutes, at most 40 %; those and the exclusions are in `venues`.',
    inputs: agedInputs(inputs, at),
  };
}

/** The rates of all assets with inputs; those of a second are the same for all who ask. */
export class ReferenceRateView {
  readonly #prices: Pick<PricesView, 'rowOf' | 'rates'>;
  /** Its keys are the symbols; every one changes each second. */
  readonly source = new Source();
  /** By symbol, then exchange. */
  readonly #inputs = new Map<string, Map<string, { input: ReferenceInput; received: number }>>();
  readonly #computed = new Map<string, Computed>();

  constructor(prices: Pick<PricesView, 'rowOf' | 'rates'>) {
    this.#prices = prices;
  }

  /** Whether no asset has a rate, or a reason why there is none, yet. */
  isEmpty(): boolean {
    return this.#computed.size === 0;
  }

  /** Whether an asset has a rate, or a reason why there is none. */
  has(symbol: string): boolean {
    return this.#computed.has(symbol);
  }

  /** Takes the inputs of one exchange. */
  accept({ source, rows, received }: Reading<ReferenceInput>): void {
    const listed = new Set(rows.map(({ symbol }) => symbol));
    for (const [symbol, own] of this.#inputs) if (!listed.has(symbol)) own.delete(source);
    for (const input of rows) {
      const own = this.#inputs.get(input.symbol) ?? new Map();
      this.#inputs.set(input.symbol, own.set(source, { input, received }));
    }
  }

  /** Computes all rates anew. Call it once a second, after the prices. `now` is Unix ms. */
  expire(now: number): void {
    const symbols = [...this.#inputs.keys()];
    for (const symbol of symbols) {
      const markets = this.#marketsOf(symbol, now);
      if (markets.length === 0) {
        this.#computed.delete(symbol);
        this.#inputs.delete(symbol);
        continue;
      }
      const before = this.#computed.get(symbol)?.rate.venues ?? [];
      const out = before.filter(({ status }) => status === 'outlier');
      const rate = references.referenceRate(markets, new Set(out.map(({ exchange }) => exchange)));
      this.#computed.set(symbol, { rate, markets, at: now });
    }
    this.source.change(symbols);
  }

  /** The rates that were computed since a time, Unix ms, by symbol: null where there is a reason for none. */
  *computedSince(since: number): Generator<{ symbol: string; rate: number | null; used: number }> {
    for (const [symbol, { rate, at }] of this.#computed)
      if (at >= since) yield { symbol, rate: rate.rate, used: rate.used };
  }

  #marketsOf(symbol: string, now: number): PricedMarket[] {
    const rates = this.#prices.rates();
    const markets: PricedMarket[] = [];
    for (const [exchange, { input, received }] of this.#inputs.get(symbol) ?? []) {
      const found = this.#prices.rowOf(exchange, input);
      const dollars = found && rates.get(found.row.quote);
      if (found === undefined || dollars === undefined) continue;
      const { row, held } = found;
      const isKnown = now - received <= topics.referenceInputs.maxAge;
      markets.push({
        exchange,
        market: row.market,
        price: row.price * dollars,
        bid: row.bid,
        ask: row.ask,
        age_ms: Math.max(0, now - found.received),
        volume: isKnown ? input.volume : null,
        variance: isKnown ? input.variance : null,
        suspended: held,
        quote: row.quote,
        quoted: row.price,
        dollars,
      });
    }
    return markets;
  }

  /** The same as `one`, with the inputs of the rate where there is one. */
  explained(symbol: string): JsonText<ReferenceRateAnswer> | null {
    const computed = this.#computed.get(symbol);
    const answer = this.one(symbol);
    if (computed === undefined || computed.rate.rate === null || answer === null) return answer;
    const explanation = explanationOf(computed, computed.rate.rate);
    return jsonWith(answer, 'explanation', jsonText(explanation));
  }

  /** Null for an asset that is not tracked. */
  one(symbol: string): JsonText<ReferenceRateAnswer> | null {
    const computed = this.#computed.get(symbol);
    if (computed === undefined) return null;
    const { rate, at } = computed;
    return jsonText<ReferenceRateAnswer>(
      {
        symbol,
        rate: rate.rate,
        reason: rate.reason,
        method: 'weighted-median',
        methodology: references.referenceRateVersion,
        as_of: at,
        used: rate.used,
        inputs_hash: hashOf(rate),
        venues: rate.venues,
      },
      at,
    );
  }
}
