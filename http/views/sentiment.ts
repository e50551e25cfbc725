import { type PriceRow, topics } from '../../actors/topics/index.ts';
import { indicatorCommon, indicatorTable } from '../../actors/topics/indicators/table.ts';
import * as s from '../../actors/topics/schema.ts';
import { type Premium, premiumOver } from '../../indicators/market/premium.ts';
import { jsonText, jsonWith } from '../answers/json.ts';
import type { JsonText } from '../answers/json-text.ts';
import { Source } from '../answers/source.ts';
import type { PricesView } from './prices.ts';
import type { MarketIndicatorsView } from './published-indicators.ts';

const fearGreed = s.object({
  ...indicatorTable['fear-greed'].fields.properties,
  updated_at: s.unixMs('Time of its newest input, Unix ms.'),
  source: indicatorCommon.properties.source,
  stale: indicatorCommon.properties.stale,
});
const premium = s.object({
  premium_percent: s.number('BTC-USD of Coinbase over the mean of the USDT markets, percent.'),
  coinbase_price: s.number('Last trade of BTC-USD, USD.'),
  mean_price: s.number('Mean of the last trades of BTC against USDT on spot markets, USD.'),
  market_count: s.integer('USDT markets that the mean is of.'),
  usdt_usd: s.number('USD per USDT that they are converted with.'),
  updated_at: s.unixMs('When the price of Coinbase was received, Unix ms.'),
});
export const sentimentAnswer = s.object({
  fear_greed: s.orNull(fearGreed, 'Null while the index is not known.'),
  coinbase_premium: s.orNull(premium, 'Null while one of its prices is missing or too old.'),
});
type Sentiment = s.Static<typeof sentimentAnswer>;

/** The views that it is made of. */
interface Inputs {
  prices: Pick<PricesView, 'markets' | 'rates' | 'source'>;
  indicators: Pick<MarketIndicatorsView, 'of'>;
}

const isSpot = ({ kind, quote }: PriceRow, wanted: string) => kind === 'spot' && quote === wanted;

/** Fear and greed with the premium of Coinbase: an answer of other views, which follows them. */
export class SentimentView {
  readonly #inputs: Inputs;
  readonly source = new Source();
  #now = 0;
  /** When the first of the prices in use becomes too old, Unix ms. */
  #until = Infinity;

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
    const change = () => this.source.change();
    inputs.prices.source.listen(['BTC'], change);
    inputs.indicators.of('fear-greed').source.listen(undefined, change);
  }

  /** Call it about every second, after the views that it is made of. `now` is Unix ms. */
  expire(now: number): void {
    this.#now = now;
    if (now > this.#until) this.source.change();
  }

  /** Null while neither part is known. */
  current(): JsonText<Sentiment> | null {
    const fear_greed = this.#inputs.indicators.of('fear-greed').current();
    const coinbase_premium = this.#premium();
    if (fear_greed === null && coinbase_premium === null) return null;
    const own = jsonText({ coinbase_premium }, coinbase_premium?.updated_at ?? null);
    return jsonWith(own, 'fear_greed', fear_greed ?? jsonText(null));
  }

  #premium(): s.Static<typeof premium> | null {
    const { prices } = this.#inputs;
    this.#until = Infinity;
    const usdt_usd = prices.rates().get('USDT') ?? 1;
    const markets = prices.markets('BTC', this.#now);
    const coinbase = markets.find(
      ({ exchange, row }) => exchange === 'coinbase' && isSpot(row, 'USD'),
    );
    if (coinbase === undefined) return null;
    const others = markets.filter(({ row }) => isSpot(row, 'USDT'));
    const found: Premium | null = premiumOver(
      coinbase.row.price,
      others.map(({ row }) => row.price * usdt_usd),
    );
    if (found === null) return null;
    const oldest = Math.min(coinbase.received, ...others.map(({ received }) => received));
    this.#until = oldest + topics.prices.maxAge;
    return {
      premium_percent: found.percent,
      coinbase_price: coinbase.row.price,
      mean_price: found.mean,
      market_count: found.count,
      usdt_usd,
      updated_at: coinbase.received,
    };
  }
}
