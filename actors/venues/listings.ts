/** The mapper of instrument lists. Pure. */

import { classOf, isLeveraged } from '../../config/assets/resolve.ts';
import type { AssetClass } from '../../config/assets/symbols.ts';
import { asRow, isRow, positive, required, type WireRow } from '../read.ts';
import type { MarketPoll, ParseContext, Parsed } from '../sources/define.ts';
import type { Instrument } from '../topics/index.ts';
import { idIn } from './cells.ts';
import { listIn, type MarketForm, plannedOf, type Requests } from './markets.ts';
import { type Facts, instrument } from './rows.ts';

/** How the instruments of a part are listed. */
export interface ListForm<Request, Extra> {
  /** Id of the exchange: its tickers and the fields that tell what is no coin are in `config/assets`. */
  venue: string;
  requests: Requests<Request>;
  rows: NonNullable<MarketForm['rows']>;
  id: MarketForm['id'];
  /** What the rows need to know besides themselves, such as the hours in another body. */
  extra?(bodies: readonly unknown[], context: ParseContext): Extra;
  /** The facts in a row; null where it is unreadable. */
  read(row: WireRow, market: string, extra: Extra): Omit<Facts, 'market'> | null;
  /** The smallest step of a price, in the exchange's units: its key, or a function. Absent where the list states none. */
  tick?: string | ((row: WireRow) => unknown);
  /** False for a row of another part. */
  keep?(row: WireRow): boolean;
  /** True where there are more rows than the bodies hold: it is named. */
  isCut?(bodies: readonly unknown[]): boolean;
}

/** The step of prices that have as many digits after the point as a field states. */
export const digitsIn =
  (key: string) =>
  (row: WireRow): number =>
    positive(`1e${-required(row[key])}`);

/** A row of a list with the facts that were read in it. */
interface Listed {
  market: string;
  row: WireRow;
  facts: Facts | null;
}

/** The class of a row's asset; of spot pairs leveraged tokens are found by the other bases of the list. */
const classIn =
  ({ row, facts }: Listed, bases: ReadonlySet<string>, venue: string) =>
  (symbol: string): AssetClass =>
    facts?.kind === 'spot' && isLeveraged(facts.base, bases)
      ? 'leveraged'
      : (facts?.asset_class ?? classOf(row, symbol, venue));

/** A poll of an instrument list. */
export function listing<Request extends object, Extra = undefined>(
  form: ListForm<Request, Extra>,
): MarketPoll<'instruments', Request>;
export function listing(form: ListForm<object, unknown>): MarketPoll<'instruments', object> {
  const { venue, requests, id, read, tick = '', keep, isCut } = form;
  const rowsIn = typeof form.rows === 'string' ? listIn(form.rows) : form.rows;
  const listed = (row: WireRow, extra: unknown): Listed => {
    const market = idIn(id, row);
    const facts = market === '' ? null : read(row, market, extra);
    const step = positive(typeof tick === 'function' ? tick(row) : row[tick]);
    return { market, row, facts: facts && { market, tick: step, ...facts } };
  };
  return {
    requests: plannedOf(requests),
    parse(bodies, context) {
      const extra = form.extra?.(bodies, context);
      const all = rowsIn(bodies, { received: context.received, stated: null })
        .filter((value) => !keep || !isRow(value) || keep(value))
        .map((value) => listed(asRow(value), extra));
      const bases = new Set(all.map(({ facts }) => facts?.base ?? ''));
      const found: Parsed<Instrument> = { rows: [], dropped: [] };
      for (const one of all) {
        const made = one.facts && instrument(venue, one.facts, classIn(one, bases, venue));
        if (made) found.rows.push(made);
        else found.dropped.push({ key: one.market, code: 'bad_row' });
      }
      if (isCut?.(bodies)) found.dropped.push({ key: 'list', code: 'list_cut_off' });
      return { instruments: found };
    },
  };
}
