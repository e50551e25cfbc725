/** Rows about one symbol, several or all. */

import type { Clock } from '../../../actors/kernel/clock.ts';
import * as s from '../../../actors/topics/schema.ts';
import type { JsonText } from '../../answers/json-text.ts';
import { symbolBound } from '../../answers/ready.ts';
import {
  type Answers,
  type Fold,
  type Memory,
  memoryOf,
  type Source,
} from '../../answers/source.ts';
import { type Params, type Route, route, type Values } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import type { Bound } from '../../wire/bounded-map.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import * as params from '../params.ts';
import type { Head } from './document.ts';
import { at, type PastOf, pastAlone, pastOf } from './past.ts';
import * as lists from './symbol-list.ts';

/** A view with an answer for each symbol and one for all of them. Its source's keys are the symbols. */
export interface BySymbol<One, All, V> {
  source: Source;
  /** Whether there is nothing of any symbol. */
  isEmpty(): boolean;
  /** Whether a symbol is known, with an answer or while what is known of it is too old. */
  has(symbol: string): boolean;
  /** The data of one symbol; null without any. */
  one(symbol: string): One | JsonText<One> | null;
  /** The same as `one`, with the inputs of its main number. */
  explained(symbol: string): One | JsonText<One> | null;
  /** The data of all symbols, by the parameters besides the symbol; null while there are none. */
  all(values: V): All | JsonText<All> | null;
}

/** Most explained answers that are kept. */
const explainedBound = { entries: 256, bytes: 4 * 2 ** 20 };

/** Most lists of symbols whose answers are kept: each may have the bytes of a hundred. */
const severalBound = { entries: 32 };

const pastOfOne = apiError('bad_parameter', 'at is about one symbol: give symbol');
const explainsOne = apiError('bad_parameter', 'explain=1 is about one symbol: give symbol');

/** The symbols that a request names. */
const namedIn = ({ symbol, symbols }: Values<Params>) => ({
  symbol: symbol?.toString(),
  list: symbols?.toString(),
});

/** How answers of one kind are read, with their bytes or as data alone. */
type Read<V, D> = Required<Omit<Memory<V, D>, 'listen'>>;

/** Why a view has no answer about a symbol, which a client gave by this or another name. */
function missing(
  view: Pick<BySymbol<unknown, unknown, never>, 'has' | 'isEmpty'>,
  what: string,
  { name, given }: { name: string; given: string },
): ApiError {
  if (view.has(name)) {
    const message = `every exchange's ${what} of ${name} is too old or not confirmed yet`;
    return apiError('warming_up', message, { retryAfter: 30 });
  }
  return view.isEmpty()
    ? warmingUp
    : apiError('unknown_symbol', `no exchange has a ${what} of ${given.toUpperCase()}`);
}

/** The answers of a view by what a request names. `what` names the number, such as `price`. */
function memoryOfSymbols<One, All, V extends Values<Params>>(
  view: BySymbol<One, All, V>,
  what: string,
): Memory<V, One | All | lists.Several<One>> {
  const { source } = view;
  const byName = (build: Fold<string, One>['build'], bound: Bound) =>
    source.answers<string, One>({ build, keysOf: (name) => [name], bound });
  const one = byName((name) => view.one(name), symbolBound);
  const explained = byName((name) => view.explained(name), explainedBound);
  const ofName = <Found>(read: (name: string) => Found | null, given: string) => {
    const name = assetAmong((symbol) => view.has(symbol), given);
    return read(name) ?? missing(view, what, { name, given });
  };
  const partOf = (name: string) => {
    const found = ofName(one, name);
    return isApiError(found) ? found : found.json;
  };
  const meant = (values: V) => {
    const { symbol, list } = namedIn(values);
    return lists.meantBy(list, symbol);
  };
  const several = source.answers<V, lists.Several<One>>({
    build(values) {
      const { symbol, list = '' } = namedIn(values);
      const names = lists.symbolsOf(list, symbol);
      return isApiError(names) ? names : lists.severalText(names, names.map(partOf));
    },
    keysOf: meant,
    bound: severalBound,
  });
  const all = source.answers<V, All>({ build: (values) => view.all(values) });
  const named = (answers: Answers<string, One>): Read<V, One> => ({
    view: ({ symbol = '' }) => ofName(answers, String(symbol)),
    data: ({ symbol = '' }) => ofName(answers.data, String(symbol)),
  });
  const [ofOne, ofExplained] = [named(one), named(explained)];
  const [ofSeveral, ofAll] = [memoryOf(several), memoryOf(all)];
  const choose = (values: V): Read<V, One | All | lists.Several<One>> | ApiError => {
    const { symbol, list } = namedIn(values);
    if (values.at !== undefined) return pastAlone;
    if (values.explain === '1') {
      return symbol === undefined || list !== undefined ? explainsOne : ofExplained;
    }
    if (list !== undefined) return ofSeveral;
    return symbol === undefined ? ofAll : ofOne;
  };
  return {
    view(values) {
      const chosen = choose(values);
      return isApiError(chosen) ? chosen : chosen.view(values);
    },
    data(values) {
      const chosen = choose(values);
      return isApiError(chosen) ? chosen : chosen.data(values);
    },
    listen: (values, listener) => source.listen(meant(values), listener),
  };
}

/**
 * Declares a row about one symbol, several by `symbols`, or all. An unknown symbol, one of which every number is too old, and a
 * start without data are three errors.
 *
 *     single({ ...markets, path: '/v1/prices', summary, what: 'price', title: 'Prices', one: priceAnswer, all: pricesAnswer, choice,
 *       view: prices, clock, past: { series: 'price', keys, columns: pricesAt } })
 */
export function single<
  const Ps extends Params,
  One extends s.TSchema,
  All extends s.TSchema,
  L extends object,
  P extends s.TProperties,
>({
  title,
  what,
  one,
  all,
  choice,
  view,
  clock,
  past: recorded,
  ...row
}: Head & {
  /** Parameters of the answer for all; `symbol` where it is another than that of all rows. */
  params: Ps;
  /** The number, such as `price`. */
  what: string;
  /** Of it are made the names of the schemas of the answers for several and for `at`. */
  title: string;
  one: One;
  all: All;
  /** Which of the answers is given when, in words. */
  choice: string;
  view: BySymbol<s.Static<One>, s.Static<All>, NoInfer<Values<Ps>>>;
  clock: Clock;
  past: PastOf<L, P>;
}): Route {
  const past = pastOf(recorded, { title: `${title}At`, what: `the ${what}`, view, clock });
  const { symbol = params.symbol, ...more } = row.params;
  const several = lists.symbolsSchema(`${title}OfSymbols`, one);
  return route<Params, s.TSchema>({
    ...row,
    params: { symbol, symbols: lists.symbols, explain: params.explain, at, ...more },
    fails: ['not_found', 'store_unavailable', ...(row.fails ?? [])],
    answer: s.chosenBy({ at: past.answer, symbol: one, symbols: several }, all, choice),
    from: memoryOfSymbols(view, what),
    past({ symbol: name, symbols, at: time }) {
      const isOne = typeof name === 'string' && symbols === undefined;
      return isOne && typeof time === 'number' ? past.query({ symbol: name, at: time }) : pastOfOne;
    },
  });
}
