/** Answers the query `margin`: margin positions on Bitfinex in any asset. */
import { hour } from '../../config/time.ts';
import type { MarginPoint } from '../../indicators/market/margin.ts';
import type { FundingStats } from '../../indicators/market/rows.ts';
import type { Answers } from '../bus/respond.ts';
import { beyond, failed, type Result, success } from '../failure.ts';
import { Slots } from '../kernel/slots.ts';
import type { Fetched, QueryCache, QueryCaches } from '../queries/query-cache.ts';
import type { JobContext } from '../sources/context.ts';
import { askPoll, type Candidate } from '../sources/polling/ask.ts';
import type { Asking, Reply } from '../topics/index.ts';
import type { MarginParams, MarginReply } from '../topics/market-indicators.ts';
import {
  fundingStats,
  marginHours,
  marginPair,
  marginSizes,
} from '../venues/bitfinex/analytics.ts';
import {
  type Funds,
  isCurrency,
  marginEvery,
  marginFields,
  marginName,
  pointOf,
  pointsOf,
  rowOf,
  sizesDoubt,
} from './margin-answer.ts';
import type { Tickers } from './tickers.ts';

const upstream = 'bitfinex';
/** Assets that may be asked for at one time: the exchange allows ten calls a minute. */
const mostOpen = 16;

/** The context of the handler. */
export interface MarginContext extends Pick<JobContext, 'client' | 'clock'> {
  tickers: Pick<Tickers, 'price'>;
  caches: Pick<QueryCaches, 'open'>;
}

type Points = readonly MarginPoint[];

const never = new AbortController().signal;
const unknown = (symbol: string) =>
  failed('unknown_instrument', `${symbol}: no margin positions on Bitfinex`);

class Margins {
  readonly #context: MarginContext;
  readonly #cache: QueryCache<MarginReply>;
  readonly #histories: QueryCache<Points>;
  readonly #slots = new Slots(mostOpen);

  constructor(context: MarginContext) {
    this.#context = context;
    this.#cache = context.caches.open('margin', 'margin');
    this.#histories = context.caches.open('margin', 'hours');
  }

  /** An answer is fresh for a minute. */
  async answer({ symbol }: MarginParams, asking: Asking): Promise<Result<Reply<MarginReply>>> {
    if (!isCurrency(symbol)) return unknown('symbol');
    const { account } = asking;
    return this.#cache.load(symbol, account, async () => {
      if (!this.#slots.enter(account)) {
        return beyond(this.#slots.heldBy(account, 'assets'), { retryAfter: 1_000 });
      }
      return this.#ask(symbol, asking).finally(() => this.#slots.leave(account));
    });
  }

  async #ask(symbol: string, asking: Asking): Promise<Result<Fetched<MarginReply>>> {
    const { clock, tickers } = this.#context;
    const now = clock.now();
    const plan = { items: [marginPair(symbol)] };
    const sizes = await this.#poll({ upstream, poll: marginSizes, plan }, asking);
    if (!sizes.ok) {
      const { code } = sizes.failure;
      return code === 'unknown_instrument' ? unknown(symbol) : sizes;
    }
    const { rows, received } = sizes.value;
    const point = pointOf(rows);
    if (!point) return unknown(symbol);
    const [history, funds] = await Promise.all([
      this.#history(symbol, asking),
      this.#funds(symbol, asking),
    ]);
    const doubt = sizesDoubt(rows, history.at(-1) ?? null, now);
    if (doubt !== null) return failed('shape', doubt);
    const price = tickers.price(symbol, now)?.price ?? null;
    const row = rowOf(point, funds);
    const reply: MarginReply = {
      reading: {
        name: marginName,
        fields: marginFields({ symbol, point, price, history, funds }),
        lacks: null,
        source: upstream,
        updated_at: point.timestamp,
        received_at: received,
        stale_after: 3 * marginEvery,
        live: { ...row, provisional: true },
      },
      history: {
        name: marginName,
        rows: history.map((each) => rowOf(each, new Map())),
        recorded_from: null,
      },
    };
    return success({ value: reply, received, until: clock.now() + marginEvery });
  }

  /** Hours before, asked for once an hour; none where they cannot be had. */
  async #history(symbol: string, asking: Asking): Promise<Points> {
    const { clock } = this.#context;
    const plan = { items: [marginPair(symbol)] };
    const found = await this.#histories.load(symbol, asking.account, async () => {
      const hours = await this.#poll({ upstream, poll: marginHours, plan }, asking);
      if (!hours.ok) return hours;
      const { rows, received } = hours.value;
      const value = pointsOf(rows);
      return success({ value, received, until: value.length > 0 ? clock.now() + hour : 0 });
    });
    return found.ok ? found.value.value : [];
  }

  /** Of the dollar and the asset, as far as they are lent. */
  async #funds(symbol: string, asking: Asking): Promise<Funds> {
    const found = await Promise.all(
      ['USD', symbol].map(async (currency): Promise<[string, FundingStats][]> => {
        const plan = { items: [currency] };
        const stats = await this.#poll({ upstream, poll: fundingStats, plan }, asking);
        const newest = stats.ok ? stats.value.rows.sort((a, b) => b.time - a.time)[0] : undefined;
        return newest ? [[currency, newest]] : [];
      }),
    );
    return new Map(found.flat());
  }

  /** Requests within half of the remaining time: an optional part must not cost the answer. */
  #poll<Row>(candidate: Candidate<Row>, { deadline, account }: Asking) {
    const left = (deadline - this.#context.clock.monotonic()) / 2;
    return askPoll(this.#context, { ...candidate, deadline: left, account }, never);
  }
}

/** The handler, ready for the bus. Failures are values; an asset without margin is `unknown_instrument`. */
export function marginAnswers(context: MarginContext) {
  const margins = new Margins(context);
  const margin = (params: MarginParams, asking: Asking) => margins.answer(params, asking);
  return { margin } satisfies Answers;
}
