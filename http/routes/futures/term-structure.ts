/** What contracts on an asset cost above its index, by their expiry. */
import { topics } from '../../../actors/topics/index.ts';
import { termStructure } from '../../../indicators/derivatives/term-structure.ts';
import type { Rates } from '../../../indicators/market/fold.ts';
import { combine } from '../../views/view.ts';
import { apiError, kit, params, s, warmingUp } from '../kit.ts';

const contract = kit.columns<ReturnType<typeof termStructure>[number]>()({
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

type Context = kit.Needs<'perpetuals' | 'futures'> & { prices: { rates(): Rates } };

/** The perpetuals on an asset, and its futures that have not expired and were heard of within ten minutes. */
function* contractsOn(
  { perpetuals, futures }: kit.Needs<'perpetuals' | 'futures'>,
  symbol: string,
) {
  for (const [exchange, row] of perpetuals.ofSymbol(symbol))
    yield { ...row, exchange, expiry: null };
  for (const [{ market: contract, ...row }, { source: exchange, ...reading }] of futures.of(
    symbol,
  )) {
    const { received = reading.received } = row;
    const last = Math.min(row.expiry - 1, received + topics.futures.maxAge);
    if (futures.source.now > last) continue;
    futures.source.holdsUntil(last);
    yield { ...row, exchange, contract, received };
  }
}

export function termStructureRoute({ perpetuals, futures, prices }: Context) {
  const views = { perpetuals, futures };
  const has = (symbol: string) => [...contractsOn(views, symbol)].length > 0;
  const { source, build } = combine(views, (_, { symbol }: { symbol: string }, { now }) => {
    const rows = termStructure(contractsOn(views, symbol), { rates: prices.rates(), now });
    if (rows.length > 0)
      return { symbol, rows, asOf: Math.max(...rows.map((one) => one.received)) };
    if (futures.isEmpty() && perpetuals.isEmpty()) return warmingUp;
    return apiError('unknown_symbol', `no exchange has a contract on ${symbol}`);
  });
  return kit.table({
    path: '/v1/futures/term-structure',
    summary: 'Mark, index and basis of every contract on an asset, perpetual and dated, by expiry',
    params: { symbol: params.assetIn(params.symbolOrBitcoin, has) },
    fields: { symbol: s.symbol },
    columns: contract,
    order: 'Perpetuals first, then by expiry, soonest first.',
    source,
    keysOf: ({ symbol }) => [symbol],
    find: build,
  });
}
