/** Answers the ask `margin`: what is held on margin on Bitfinex in any asset. */
import type { DeskContext } from '../../desks/desk.ts';
import { askFigure, type Candidate } from '../../desks/figure.ts';
import { failed, type Result, success } from '../../failure.ts';
import type { MarginReply, MarginRequest } from '../answers.ts';
import { type FundingStats, fundingStats, marginPair, marginSizes } from '../borrow/bitfinex.ts';
import type { MarginPoint } from '../formulas/margin.ts';
import type { Tickers } from '../tickers.ts';
import { hour } from './context.ts';
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

const upstream = 'bitfinex';
/** Assets whose answers are kept, and that may be asked for at one time: the exchange allows ten calls a minute. */
const capacity = 200;
const mostOpen = 16;

/** What answering takes. */
export interface MarginContext extends Pick<DeskContext, 'client' | 'clock'> {
  tickers: Pick<Tickers, 'price'>;
}

type Answer = Result<MarginReply>;

interface Kept {
  answer: Answer;
  /** Unix ms. */
  until: number;
  history: readonly MarginPoint[];
  /** When the history was asked for, Unix ms. */
  at: number;
}

const never = new AbortController().signal;
const unknown = (symbol: string) =>
  failed('unknown_instrument', `${symbol}: no margin positions on Bitfinex`);

class Margins {
  readonly #context: MarginContext;
  readonly #kept = new Map<string, Kept>();
  readonly #open = new Map<string, Promise<Answer>>();

  constructor(context: MarginContext) {
    this.#context = context;
  }

  /** `deadline` is Unix ms. An answer is a minute old at most; equal questions share one. */
  async answer({ symbol }: MarginRequest, deadline: number): Promise<Answer> {
    if (!isCurrency(symbol)) return unknown('symbol');
    const kept = this.#kept.get(symbol);
    if (kept && kept.until > this.#context.clock.now()) return kept.answer;
    const joined = this.#open.get(symbol);
    if (joined !== undefined) return joined;
    if (this.#open.size >= mostOpen) return failed('over_budget', 'too many assets are asked for');
    const asking = this.#ask(symbol, deadline).finally(() => this.#open.delete(symbol));
    this.#open.set(symbol, asking);
    return asking;
  }

  async #ask(symbol: string, deadline: number): Promise<Answer> {
    const { clock, tickers } = this.#context;
    const now = clock.now();
    const plan = { items: [marginPair(symbol)] };
    const sizes = await this.#figure({ upstream, figure: marginSizes('last'), plan }, deadline);
    if (!sizes.ok) {
      const { code } = sizes.failure;
      return code === 'unknown_instrument' ? this.#keep(symbol, unknown(symbol)) : sizes;
    }
    const { rows, received } = sizes.value;
    const point = pointOf(rows);
    if (!point) return this.#keep(symbol, unknown(symbol));
    const [history, funds] = await Promise.all([
      this.#history(symbol, deadline),
      this.#funds(symbol, deadline),
    ]);
    const doubt = sizesDoubt(rows, history.points.at(-1) ?? null, now);
    if (doubt !== null) return failed('shape', doubt);
    const price = tickers.price(symbol, now)?.price ?? null;
    const row = rowOf(point, funds);
    const reply: MarginReply = {
      reading: {
        name: marginName,
        fields: marginFields({ symbol, point, price, history: history.points, funds }),
        lacks: null,
        source: upstream,
        updated_at: point.timestamp,
        received_at: received,
        stale_after: 3 * marginEvery,
        live: { ...row, provisional: true },
      },
      history: {
        name: marginName,
        rows: history.points.map((each) => rowOf(each, new Map())),
        recorded_from: null,
      },
    };
    return this.#keep(symbol, success(reply), history);
  }

  /** Hours before, asked for once an hour; none while that fails. */
  async #history(
    symbol: string,
    deadline: number,
  ): Promise<{ points: readonly MarginPoint[]; at: number }> {
    const now = this.#context.clock.now();
    const kept = this.#kept.get(symbol);
    if (kept && kept.history.length > 0 && now - kept.at < hour) {
      return { points: kept.history, at: kept.at };
    }
    const plan = { items: [marginPair(symbol)] };
    const found = await this.#figure({ upstream, figure: marginSizes('hist'), plan }, deadline);
    return { points: found.ok ? pointsOf(found.value.rows) : [], at: now };
  }

  /** Of the dollar and the asset, as far as they are lent. */
  async #funds(symbol: string, deadline: number): Promise<Funds> {
    const found = await Promise.all(
      ['USD', symbol].map(async (currency): Promise<[string, FundingStats][]> => {
        const plan = { items: [currency] };
        const stats = await this.#figure({ upstream, figure: fundingStats, plan }, deadline);
        const newest = stats.ok ? stats.value.rows.sort((a, b) => b.time - a.time)[0] : undefined;
        return newest ? [[currency, newest]] : [];
      }),
    );
    return new Map(found.flat());
  }

  /** Asks within half of what is left: what can be done without must not cost the answer. */
  #figure<Row>(candidate: Candidate<Row>, deadline: number) {
    const left = (deadline - this.#context.clock.now()) / 2;
    return askFigure(this.#context, { ...candidate, deadline: left }, never);
  }

  #keep(
    symbol: string,
    answer: Answer,
    history: { points: readonly MarginPoint[]; at: number } = { points: [], at: 0 },
  ): Answer {
    const until = this.#context.clock.now() + marginEvery;
    this.#kept.delete(symbol);
    this.#kept.set(symbol, { answer, until, history: history.points, at: history.at });
    const oldest = this.#kept.size > capacity ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    return answer;
  }
}

/** The handler of the ask, ready for the bus. Failures are values; an asset without margin is `unknown_instrument`. */
export function marginAnswers(context: MarginContext): {
  margin(request: MarginRequest, limits: { deadline: number }): Promise<Answer>;
} {
  const margins = new Margins(context);
  return { margin: (request, { deadline }) => margins.answer(request, deadline) };
}
