/** Rows about one symbol, several or all. */
import * as s from '../../../actors/topics/schema.ts';
import type { JsonText } from '../../answers/json-text.ts';
import { symbolBound } from '../../answers/ready.ts';
import { type Answers, type Memory, memoryOf, type Source } from '../../answers/source.ts';
import { type Param, type Params, type Route, route, type Values } from '../../endpoints/route.ts';
import { assetAmong } from '../../views/markets.ts';
import { type ApiError, apiError, isApiError, warmingUp } from '../../wire/errors.ts';
import type { Head } from './document.ts';
import { type Past, pastAlone } from './past.ts';
import { meantBy, type Several, severalText, symbolsOf, symbolsSchema } from './symbol-list.ts';

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

const textOf = (value: string | number | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The symbols that a request names. */
const namedIn = ({ symbol, symbols: list }: Values<Params>) => ({
  symbol: textOf(symbol),
  list: textOf(list),
});

/** How answers of one kind are read, with their bytes or as data alone. */
type Read<V, D> = Required<Omit<Memory<V, D>, 'listen'>>;

/** The answers of a view by what a request names. `what` names the number, such as `price`. */
function memoryOfSymbols<One, All, V extends Values<Params>>(
  view: BySymbol<One, All, V>,
  what: string,
): Memory<V, One | All | Several<One>> {
  const { source } = view;
  const one = source.answers<string, One>({
    build: (name) => view.one(name),
    keysOf: (name) => [name],
    bound: symbolBound,
  });
  const explained = source.answers<string, One>({
    build: (name) => view.explained(name),
    keysOf: (name) => [name],
    bound: explainedBound,
  });
  const ofName = <Found>(read: (name: string) => Found | null, given: string) => {
    const name = assetAmong((symbol) => view.has(symbol), given);
    return read(name) ?? missing(name, given);
  };
  const missing = (name: string, given: string): ApiError => {
    if (view.has(name)) {
      const message = `every exchange's ${what} of ${name} is too old or not confirmed yet`;
      return apiError('warming_up', message, { retryAfter: 30 });
    }
    return view.isEmpty()
      ? warmingUp
      : apiError('unknown_symbol', `no exchange has a ${what} of ${given.toUpperCase()}`);
  };
  const partOf = (name: string) => {
    const found = ofName(one, name);
    return isApiError(found) ? found : found.json;
  };
  const meant = (values: V) => {
    const { symbol, list } = namedIn(values);
    return meantBy(list, symbol);
  };
  const several = source.answers<V, Several<One>>({
    build(values) {
      const { symbol, list = '' } = namedIn(values);
      const names = symbolsOf(list, symbol);
      return isApiError(names) ? names : severalText(names, names.map(partOf));
    },
    keysOf: meant,
    bound: severalBound,
  });
  const all = source.answers<V, All>({ build: (values) => view.all(values) });
  const named = (answers: Answers<string, One>): Read<V, One> => ({
    view: ({ symbol = '' }) => ofName(answers, String(symbol)),
    data: ({ symbol = '' }) => ofName(answers.data, String(symbol)),
  });
  const [ofOne, ofExplained, ofSeveral, ofAll] = [
    named(one),
    named(explained),
    memoryOf(several),
    memoryOf(all),
  ];
  const choose = (values: V): Read<V, One | All | Several<One>> | ApiError => {
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
 *     single({ ...markets, path: '/v1/prices', summary, what: 'price', params: { symbol, symbols }, one: priceAnswer,
 *       several: 'PricesOfSymbols', all: pricesAnswer, about, view: prices })
 */
export function single<
  const Ps extends Params & { symbol: Param; symbols: Param; explain: Param; at: Param },
  One extends s.TSchema,
  All extends s.TSchema,
>({
  what,
  one,
  several,
  all,
  choice,
  view,
  past,
  ...row
}: Head & {
  params: Ps;
  /** The number, such as `price`. */
  what: string;
  one: One;
  /** Name of the schema of the answer for several. */
  several: string;
  all: All;
  /** Which of the answers is given when, in words. */
  choice: string;
  view: BySymbol<s.Static<One>, s.Static<All>, NoInfer<Values<Ps>>>;
  /** Its recorded state. */
  past: Past;
}): Route {
  return route<Ps, s.TSchema>({
    access: 'key',
    ...row,
    method: 'GET',
    fails: ['not_found', 'store_unavailable', ...(row.fails ?? [])],
    answer: s.chosenBy(
      { at: past.answer, symbol: one, symbols: symbolsSchema(several, one) },
      all,
      choice,
    ),
    from: memoryOfSymbols(view, what),
    past({ symbol, symbols: list, at }) {
      const isOne = typeof symbol === 'string' && list === undefined;
      return isOne && typeof at === 'number' ? past.query({ symbol, at }) : pastOfOne;
    },
  });
}
