/** The answers that are made of the trades that this process hears by stream, without a request to the exchange. */
import { heardAt, unheard } from '../../../indicators/market/heard.ts';
import { failed, type Result, success } from '../../failure.ts';
import { type Clock, within } from '../../kernel/clock.ts';
import type { Asking, Kind, Params, Queries, Reply } from '../../topics/index.ts';
import type { LiveTrades } from '../streams/trade-tape.ts';
import type { MarketAsk } from './forms.ts';

type Answer<N extends 'recentTrades' | 'tradeTape'> = (
  params: Params<N>,
  asking: Asking,
) => Promise<Result<Reply<Queries[N]['reply']>>>;

/** Finds the market that a query is about. */
type Find = (asked: { market: string; kind?: Kind | undefined }) => Result<MarketAsk>;

/** How long the newest trades are given to others, ms. */
const life = 100;
/** How long a question for more of a tape waits for it, ms, and how many wait at most: each has a place among the questions. */
const patience = 1_000;
const mostWaiting = 16;
/** A market without a trade for this time may be quiet, or its stream may be held up: the exchange is asked, ms. */
const quiet = 5_000;

export function heardTrades(
  source: string,
  find: Find,
  { trades, clock }: { trades?: LiveTrades; clock: Clock },
) {
  const unknown = () => {
    const heard = trades?.markets(source) ?? [];
    const names = heard.length > 0 ? heard.join(', ') : 'none at present';
    return `the trades of this market of ${source} are not heard by stream; those that are: ${names}`;
  };
  /** The newest trades where the stream has so many without a hole and has just brought one, else those that `asked` gives. */
  const newest =
    (asked: Answer<'recentTrades'>): Answer<'recentTrades'> =>
    async (params, asking) => {
      const found = trades && find(params);
      if (!found?.ok) return asked(params, asking);
      const { market, part, instrument } = found.value;
      const tape = trades?.find(source, part, market);
      const own = tape?.newest(params.limit);
      const now = clock.now();
      if (!tape || !own || now - tape.received > quiet) return asked(params, asking);
      const { kind, quote } = instrument;
      const heard = heardAt(tape.received, own[0]?.timestamp);
      const mark = unheard(heard, now);
      const value = { market, kind, quote, trades: own, source: 'live' as const, ...mark };
      return success({ value, received: tape.received, until: now + life });
    };
  let waiting = 0;
  /** What the stream has brought since the asker asked before: as soon as there is something. */
  const tape: Answer<'tradeTape'> = async (params) => {
    const found = find(params);
    if (!found.ok) return found;
    const { market, part, instrument } = found.value;
    const own = trades?.find(source, part, market);
    if (!own) return failed('not_given', unknown());
    const { began } = own;
    const after = params.after?.began === began ? params.after.next : 0;
    if (waiting < mostWaiting) {
      waiting += 1;
      await within(clock, patience, own.more(after));
      waiting -= 1;
    }
    const now = clock.now();
    const value = { quote: instrument.quote, began, ...own.after(after) };
    return success({ value, received: now, until: now });
  };
  return { newest, tape };
}
