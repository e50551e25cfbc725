/** The assets by what takers bought less what they sold, out of the recorded series (specification 4.5 and 4.10). */
import { recordedKey, trackedAmong, tracking } from '../../../actors/topics/index.ts';
import { isCoin } from '../../../config/assets/symbols.ts';
import * as rankings from '../../../indicators/derivatives/rankings.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import { kit, params, s, warmingUp } from '../kit.ts';

export type RankingContext = kit.Needs<'perpetuals' | 'markets' | 'clock'>;
type Kind = 'spot' | 'perpetual';

const flows = {
  method: kit.constant('taker', 'Trades, not transfers on a blockchain.'),
} as const;

/** Which flows they are. */
export const method = kit.columns<object>()(flows);

/** A base asset; the ranking when absent. */
export const symbolOrRanking = {
  ...params.symbolOrAll,
  description:
    'Base asset or a market of it, in any spelling. A ranking of the most traded assets when absent; then only `limit` counts.',
} as const;

/** The limit of both. */
export const limit = params.limit(50, 500, 'Newest rows of a symbol; most rows of the ranking.');

const exchange = 'binance';
/** Steps of the record. */
const step = 300_000;
/** Those of a day, the one that still runs and one that is late. */
const steps = rankings.rankingWindows['24h'] / step + 2;

const item = kit.columns<ReturnType<typeof rankings.netflowItems>[number]>()({
  symbol: s.string('Base asset.'),
  ...rankings.netflowFields((window) =>
    s.numberOrNull(`Bought less sold by takers in ${window}; null where less is recorded.`),
  ),
  volume_24h_usd: s.number('Bought and sold in 24 hours, as far as recorded.'),
});

/** The recorded assets, as the store chooses them: the most traded ones. Empty while those are not known. */
function symbolsOf({ perpetuals }: RankingContext): string[] {
  const coins = [...perpetuals.fundings()].filter(([symbol]) => isCoin(symbol));
  const turnovers = coins.map(
    ([symbol, all]) =>
      [symbol, all.reduce((sum, one) => sum + (one.volume_24h_usd ?? 0), 0)] as const,
  );
  return turnovers.length < tracking.count ? [] : trackedAmong(turnovers);
}

/** The most traded assets of which an exchange lists a market of this kind; empty while they are not known. */
function mostTraded(context: RankingContext, kind: Kind): () => readonly string[] {
  let chosen: { symbols: readonly string[]; until: number } = { symbols: [], until: 0 };
  const isListed = (symbol: string) => context.markets.find(exchange, symbol, kind) !== null;
  return () => {
    const now = context.clock.now();
    if (chosen.symbols.length === 0 || now >= chosen.until) {
      chosen = { symbols: symbolsOf(context).filter(isListed), until: now + tracking.every };
    }
    return chosen.symbols;
  };
}

/** The assets with the largest net flow; an error while those with the largest turnover are not known. */
export function netflowRanking(context: RankingContext, kind: Kind) {
  const traded = mostTraded(context, kind);
  return kit.historyAnswer({
    path: `ranking ${kind}`,
    params: { limit },
    of: {
      names: ['series'],
      resolve() {
        const symbols = traded();
        return symbols.length === 0 ? warmingUp : { symbols };
      },
      head: kit.columns<object>()({ exchange: [s.exchange, () => exchange], ...flows }),
      record: kit.record,
      what: () => 'the taker volume of the most traded assets',
      ask({ symbols }) {
        const keys = symbols.map((symbol) => recordedKey(exchange, kind, symbol));
        return kit.storeQueries({ series: 'taker-flow', keys }, { step: '5m', limit: steps });
      },
    },
    fold: ({ rows }, { values }) =>
      rankings
        .netflowItems(
          values.symbols,
          rows.map((row) => rowsIn(row, { buy: 'buy_usd', sell: 'sell_usd' })),
          step,
        )
        .slice(0, values.limit),
    points: kit.points(item, 'Largest net flow of 24 hours first.', 'items'),
  });
}
