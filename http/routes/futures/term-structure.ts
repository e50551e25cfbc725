/** What contracts on an asset cost above its index, by their expiry. */
import { topics } from '../../../actors/topics/index.ts';
import * as terms from '../../../indicators/derivatives/term-structure.ts';
import type { Source } from '../../answers/source.ts';
import { combine } from '../../views/view.ts';
import { apiError, kit, params, s, warmingUp } from '../kit.ts';

const contract = kit.columns<terms.TermContract>()({
  exchange: s.exchange,
  contract: s.ownSymbol,
  quote: s.quote,
  margin_type: [
    s.oneOf(['linear', 'inverse', null], 'Inverse: settled in the base. Null while not known.'),
    ({ inverse }) => (inverse === null ? null : inverse ? 'inverse' : 'linear'),
  ],
  expiry: s.integerOrNull('Unix ms; null for a perpetual.'),
  days_to_expiry: s.numberOrNull('Days, with their fraction; null for a perpetual.'),
  mark_price: [s.number('Mark price of one base asset, in `quote`.'), 'mark'],
  index_price: [s.numberOrNull('Index that the exchange states for it, in `quote`.'), 'index'],
  basis_percent: s.numberOrNull('Mark over index, less 1; null without an index.'),
  annualized_percent: s.numberOrNull(
    'basis_percent x 365 / days_to_expiry, percent a year, simple interest; null for a perpetual, without an index, and in the last hour.',
  ),
  open_interest_usd: s.numberOrNull('One side; null where it is not known.'),
  volume_24h_usd: s.numberOrNull('Turnover of 24 hours; null where it is not known.'),
  updated_at: [s.unixMs('When it was received.'), 'received'],
});

type Context = kit.Needs<'futures'> & {
  perpetuals: Pick<kit.RoutesContext['perpetuals'], 'source' | 'ofSymbol' | 'isEmpty'>;
  prices: Pick<kit.RoutesContext['prices'], 'rates'>;
};
type Views = Pick<Context, 'perpetuals' | 'futures'>;

/** The perpetuals on an asset, and its futures that have not expired and were heard of within ten minutes. */
function* contractsOn(
  views: Views,
  symbol: string,
  source: Source,
): Iterable<terms.StatedContract> {
  for (const [exchange, row] of views.perpetuals.ofSymbol(symbol))
    yield { ...row, exchange, expiry: null };
  for (const [{ market: contract, ...row }, reading] of views.futures.of(symbol)) {
    const { received = reading.received } = row;
    const last = Math.min(row.expiry - 1, received + topics.futures.maxAge);
    if (source.now > last) continue;
    source.holdsUntil(last);
    yield { ...row, exchange: reading.source, contract, received };
  }
}

export function termStructureRoute({ perpetuals, futures, prices }: Context) {
  const { source, build } = combine(
    { perpetuals, futures },
    (views, { symbol }: { symbol: string }, source) => {
      const contracts = contractsOn(views, symbol, source);
      const rows = terms.termStructure(contracts, { rates: prices.rates(), now: source.now });
      if (rows.length > 0)
        return { symbol, rows, asOf: Math.max(...rows.map(({ received }) => received)) };
      return futures.isEmpty() && perpetuals.isEmpty()
        ? warmingUp
        : apiError('unknown_symbol', `no exchange has a contract on ${symbol}`);
    },
  );
  const hasContract = (symbol: string) => {
    const [first] = contractsOn({ perpetuals, futures }, symbol, source);
    return first !== undefined;
  };
  return kit.table({
    group: 'Futures markets',
    path: '/v1/futures/term-structure',
    summary: 'Mark, index and basis of every contract on an asset, perpetual and dated, by expiry',
    params: { symbol: params.assetIn(params.symbolOrBitcoin, hasContract) },
    fields: { symbol: s.symbol },
    columns: contract,
    order: 'Perpetuals first, then by expiry, soonest first.',
    source,
    keysOf: ({ symbol }) => [symbol],
    find: build,
  });
}
