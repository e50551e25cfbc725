import type { PriceRow } from '../../actors/topics/index.ts';
import { indicatorTable } from '../../actors/topics/indicators/table.ts';
import * as s from '../../actors/topics/schema.ts';
import { type Premium, premiumOver } from '../../indicators/market/premium.ts';
import { jsonText, jsonWith } from '../json.ts';
import { Cell, type Snapshot } from '../snapshots.ts';
import type { MarketIndicatorsView } from './market-indicators.ts';
import type { PricesView } from './prices.ts';

const fearGreed = s.object({
  ...indicatorTable['fear-greed'].fields.properties,
  updated_at: s.unixMs('Time of its newest input, Unix ms.'),
  source: s.either(s.string(), s.list(s.string())),
  stale: s.boolean(),
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
export type Sentiment = s.Static<typeof sentimentAnswer>;

/** The views that it is made of. */
interface Inputs {
  prices: Pick<PricesView, 'markets' | 'rates'>;
  indicators: Pick<MarketIndicatorsView, 'current'>;
}

const isSpot = ({ kind, quote }: PriceRow, wanted: string) => kind === 'spot' && quote === wanted;

/** Fear and greed with the premium of Coinbase: an answer of other views, rebuilt on demand, at most once a second. */
export class SentimentView {
  readonly #inputs: Inputs;
  readonly #cell = new Cell(() => this.#build());
  #now = 0;

  constructor(inputs: Inputs) {
    this.#inputs = inputs;
  }

  /** Call it about every second. `now` is Unix ms. */
  expire(now: number): void {
    this.#now = now;
    this.#cell.change();
  }

  /** Null while neither part is known. */
  read(): Snapshot<Sentiment> | null {
    return this.#cell.read();
  }

  #build() {
    const fear_greed = this.#inputs.indicators.current('fear-greed');
    const coinbase_premium = this.#premium();
    if (fear_greed === null && coinbase_premium === null) return null;
    const own = jsonText({ coinbase_premium }, coinbase_premium?.updated_at ?? null);
    return jsonWith(own, 'fear_greed', fear_greed ?? jsonText(null));
  }

  #premium(): s.Static<typeof premium> | null {
    const { prices } = this.#inputs;
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
