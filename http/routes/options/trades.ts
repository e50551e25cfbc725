/** Public trades of options: the newest, those with the largest premium, and what was paid for calls and puts. */
import { isWantedTrade, premiumOf, type Trade } from '../../views/option-trades.ts';
import { isApiError, kit, params, s } from '../kit.ts';
import { recordFields, recordOf } from '../liquidations/common.ts';
import * as shared from './common.ts';

const trade = kit.columns<Trade>()({
  ...shared.optionCells,
  instrument: [s.ownId, 'contract'],
  symbol: s.symbol,
  side: s.oneOf(['buy', 'sell'], 'What the taker did.'),
  price_usd: [s.number('Price of an option on one base unit, US dollars.'), 'price'],
  price_base: s.numberOrNull('The same in base units; null where the option settles in dollars.'),
  quantity_base: [s.number('Base units.'), 'quantity'],
  premium_usd: [s.number('Price x quantity, US dollars.'), premiumOf],
  notional_usd: [s.number('Index price x quantity.'), ({ index, quantity }) => index * quantity],
  implied_volatility: [s.numberOrNull('Volatility that the price implies, fraction a year.'), 'iv'],
  mark_price_usd: [s.numberOrNull('Mark price of an option on one base unit.'), 'mark'],
  index_price: [s.number('Index price of the asset, US dollars.'), 'index'],
  block: s.orNull(s.boolean(), 'Agreed on beside the order book; null where it is not stated.'),
  timestamp: s.unixMs('When it was traded, as the exchange states it.'),
  id: s.string("The exchange's own."),
});

const sumOf = (description: string) => s.number(`${description}, US dollars.`);
const fields = {
  ...recordFields,
  disconnected_exchanges: s.list(s.string(), 'Exchanges whose trades are not heard at present.'),
  coverage: kit.coverage,
  total_count: s.integer('Trades of `hours` that are asked for; those beyond `limit` too.'),
  call_premium_bought_usd: sumOf('Premium of the calls among them that takers bought'),
  call_premium_sold_usd: sumOf('Premium of the calls that takers sold'),
  put_premium_bought_usd: sumOf('Premium of the puts that takers bought'),
  put_premium_sold_usd: sumOf('Premium of the puts that takers sold'),
};

/** What was paid, by type and by what takers did. */
function premiumsOf(trades: readonly Trade[]) {
  const sums = {
    call_premium_bought_usd: 0,
    call_premium_sold_usd: 0,
    put_premium_bought_usd: 0,
    put_premium_sold_usd: 0,
  };
  for (const one of trades)
    sums[`${one.type}_premium_${one.side === 'buy' ? 'bought' : 'sold'}_usd`] += premiumOf(one);
  return sums;
}

export function tradesRoute({ options, optionTrades }: kit.Needs<'options' | 'optionTrades'>) {
  return kit.table({
    path: '/v1/options/trades',
    summary: 'Public trades of options: the newest or those with the largest premium',
    answersBeforeData: true,
    params: {
      symbol: params.assetInOrAll(params.symbolOrAll, (name) => options.has(name)),
      exchange: params.word(optionTrades.exchanges, 'Exchange id. All exchanges when absent.'),
      expiry: shared.expiryParam('Only of this day of expiry, `YYYY-MM-DD`.'),
      type: params.word(['call', 'put'], 'Only these. Both when absent.'),
      side: params.word(['buy', 'sell'], 'What the taker did. Both when absent.'),
      min_premium_usd: params.atLeast(0, 'Least premium, US dollars.'),
      hours: params.limit(24, 24, 'Hours back that are looked at.'),
      sort: params.wordOr(['time', 'premium'], 'time', 'Newest or largest premium first.'),
      limit: params.limit(50, 500, 'Most trades.'),
    },
    fields,
    columns: trade,
    order: 'By `sort`.',
    source: optionTrades.source,
    log: (wanted) => ({
      log: optionTrades.log,
      limit: wanted.limit,
      item: (one: Trade) => (isWantedTrade(one, wanted) ? trade.read(one) : null),
    }),
    find({ hours, sort, ...wanted }) {
      const { symbol, exchange } = wanted;
      const known = symbol === undefined ? null : options.find({ symbol, exchange });
      if (known !== null && isApiError(known) && known.error === 'unknown_symbol') return known;
      const record = optionTrades.record(exchange, hours);
      const trades = optionTrades.trades(wanted, hours);
      return {
        ...recordOf(record),
        disconnected_exchanges: record.disconnected,
        coverage: record.coverage,
        total_count: trades.length,
        ...premiumsOf(trades),
        rows: sort === 'time' ? trades : trades.sort((a, b) => premiumOf(b) - premiumOf(a)),
      };
    },
  });
}
