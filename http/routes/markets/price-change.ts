/** Assets by the change of their price over several windows, out of the recorded prices (specification 4.10). */
import { historySource, type RecordedAt } from '../../../actors/topics/index.ts';
import { classOfSymbol } from '../../../config/assets/symbols.ts';
import * as rankings from '../../../indicators/derivatives/rankings.ts';
import { assetAmong } from '../../views/markets.ts';
import { apiError, isApiError, kit, params, s, warmingUp } from '../kit.ts';
import { asset_class, changeCells } from './common.ts';

const prefix = 'perpetual/';
/** Minutes without a record that the one before stands for. */
const carry = 2;

const item = s.object({
  symbol: s.symbol,
  class: asset_class,
  price: s.number('Mean of the perpetuals of all exchanges, US dollars.'),
  ...rankings.changeFields((window) =>
    s.numberOrNull(
      window === '24h'
        ? 'Change of the asset in 24 hours, percent: as in the tables of assets.'
        : `Change in ${window}, percent; null where the price then is not recorded.`,
    ),
  ),
  price_change_24h_basis: changeCells.price_change_24h_basis[0],
  price_amplitude_percent_24h: s.numberOrNull(
    'Highest less lowest price of 24 hours in percent of the lowest, of the prices at the ends of the hours and now.',
  ),
});
type Item = s.Static<typeof item>;

/** The assets of the recorded prices by their names. */
const pricesIn = ({ keys, columns }: RecordedAt): rankings.PricesAt => ({
  symbols: keys.map((key) => key.slice(prefix.length)),
  prices: columns.price ?? [],
});

/** The rows of the asset that a client names; all of them where none is named. */
function chosen(items: readonly Item[], given: string | undefined) {
  if (given === undefined) return items;
  const name = assetAmong((symbol) => items.some((row) => row.symbol === symbol), given);
  const found = items.filter(({ symbol }) => symbol === name);
  return found[0] ? found : apiError('unknown_symbol', `no price of '${given}' is recorded`);
}

/** As its markets state it, else its symbol. */
const classOf = (tables: kit.RoutesContext['tables'], symbol: string) =>
  tables.read((now) => now.futures.ofAsset(symbol)[0]?.asset_class) ?? classOfSymbol(symbol);

export const priceChangeRoutes = ({ clock, tables }: kit.Needs<'clock' | 'tables'>) =>
  kit.history({
    path: '/v1/futures/coins-price-change',
    summary: 'Assets by the change of the price of their perpetuals, over seven windows',
    params: {
      symbol: params.symbolOrAll,
      class: params.assetClass,
      limit: params.limit(50, 500, 'Most assets.'),
      sort: params.wordOr(rankings.rankingWindowNames, '24h', 'Of this window; null is last.'),
      order: params.wordOr(['desc', 'asc'], 'desc', 'Largest or smallest change first.'),
    },
    of: {
      names: ['seriesAt'],
      fails: [],
      head: kit.noFields,
      what: () => 'the changes of prices',
      ask() {
        const { minutes, hours } = rankings.changeTimes(clock.now());
        const asked = { series: 'price', prefix } as const;
        const before = { ...asked, step: '1h', times: hours } as const;
        return {
          source: historySource,
          params: { ...asked, step: '1m', times: minutes, carry },
          sameQueryElsewhere: [{ source: historySource, params: before }],
        };
      },
    },
    fold(now, { values: { symbol, class: of, limit, sort, order }, replies: [, before] }) {
      const all = rankings.pricesChanged(pricesIn(now), before ? pricesIn(before) : null, (name) =>
        tables.read((all) => all.change(name)),
      );
      if (all.length === 0) return warmingUp;
      const items = all.map((one) => ({ ...one, class: classOf(tables, one.symbol) }));
      const wanted = items.filter((one) => (of ?? one.class) === one.class);
      const found = chosen(wanted, symbol);
      if (isApiError(found)) return found;
      const sorted = rankings.ranked(found, order, (one) => one[`price_change_percent_${sort}`]);
      return sorted.slice(0, limit);
    },
    points: kit.points(kit.plain(item), 'The rows of the table.', 'items'),
  });
