/** The mood of the market in one answer. */
import { type PriceRow, topics } from '../../actors/topics/index.ts';
import { indicatorCommon, indicatorTable } from '../../actors/topics/indicators/table.ts';
import { premiumOver } from '../../indicators/market/premium.ts';
import { jsonText, jsonWith } from '../answers/json.ts';
import type { JsonText } from '../answers/json-text.ts';
import type { Source } from '../answers/source.ts';
import { combine } from '../views/view.ts';
import { kit, s } from './kit.ts';

const fearGreed = s.object({
  ...indicatorTable['fear-greed'].fields.properties,
  updated_at: s.unixMs('Time of its newest input.'),
  source: indicatorCommon.properties.source,
  stale: indicatorCommon.properties.stale,
});
const premium = s.object({
  premium_percent: s.number('BTC-USD of Coinbase over the mean of the USDT markets.'),
  coinbase_price: s.number('Last trade of BTC-USD, USD.'),
  mean_price: s.number('Mean of the last trades of BTC against USDT on spot markets, USD.'),
  market_count: s.integer('USDT markets that the mean is of.'),
  usdt_usd: s.number('USD per USDT that they are converted with.'),
  updated_at: s.unixMs('When the price of Coinbase was received.'),
});
const answer = s.object({
  fear_greed: s.orNull(fearGreed, 'Null while the index is not known.'),
  coinbase_premium: s.orNull(premium, 'Null while one of its prices is missing or too old.'),
});

const isSpot = ({ kind, quote }: PriceRow, wanted: string) => kind === 'spot' && quote === wanted;

/** The premium of Coinbase over the USDT markets; null without one of its prices. */
function premiumOf(
  prices: kit.RoutesContext['prices'],
  source: Source,
): s.Static<typeof premium> | null {
  const usdt_usd = prices.rates().get('USDT') ?? 1;
  const markets = prices.markets('BTC', source.now);
  const coinbase = markets.find(
    ({ exchange, row }) => exchange === 'coinbase' && isSpot(row, 'USD'),
  );
  if (coinbase === undefined) return null;
  const others = markets.filter(({ row }) => isSpot(row, 'USDT'));
  const found = premiumOver(
    coinbase.row.price,
    others.map(({ row }) => row.price * usdt_usd),
  );
  if (found === null) return null;
  for (const { received } of [coinbase, ...others])
    source.holdsUntil(received + topics.prices.maxAge);
  return {
    premium_percent: found.percent,
    coinbase_price: coinbase.row.price,
    mean_price: found.mean,
    market_count: found.count,
    usdt_usd,
    updated_at: coinbase.received,
  };
}

export const sentimentRoute = ({
  prices,
  marketIndicators,
}: kit.Needs<'prices' | 'marketIndicators'>) =>
  kit.document({
    path: '/v1/sentiment',
    summary: 'Fear and greed index with the premium of Bitcoin on Coinbase',
    params: {},
    answer,
    keysOf: () => ['BTC'],
    ...combine(
      { prices, index: marketIndicators.of('fear-greed') },
      (views, _query: object, source): JsonText<s.Static<typeof answer>> | null => {
        const fear_greed = views.index.current();
        const coinbase_premium = premiumOf(views.prices, source);
        if (fear_greed === null && coinbase_premium === null) return null;
        const own = jsonText({ coinbase_premium }, coinbase_premium?.updated_at ?? null);
        return jsonWith(own, 'fear_greed', fear_greed ?? jsonText(null));
      },
    ),
  });
