/** Options on one asset: what they say about its volatility, where they stand, and all of one expiry. */
import { watch } from '../ask.ts';
import { choice, h } from '../dom.ts';
import { exchangeOption } from '../exchange-names.ts';
import { factsPart } from '../facts.ts';
import { compact, dayText, fixed, price, share } from '../format.ts';
import { fill, headed, minute, type Part, Slot } from '../part.ts';
import { choose, hashOf, pageChoice, placeOf } from '../place.ts';
import { at } from '../request.ts';
import { chainPart } from './chain.ts';
import { flowPart } from './flow.ts';
import { expiriesPart, pastPart, strikesPart, tradedPart } from './interest.ts';
import type { Asked } from './parts.ts';
import * as parts from './parts.ts';

const exchanges = [['', 'all'], exchangeOption('deribit'), exchangeOption('okx')] as const;

/** Shows another asset. */
function goTo(symbol: string): void {
  location.hash = hashOf({ ...placeOf(location.hash), about: symbol });
}

const infoOf = (asked: Asked) => at('/v1/options/info', asked);

/** The most important numbers. */
const numbersPart = (asked: Asked): Part =>
  factsPart(
    {
      info: infoOf(asked),
      gamma: at('/v1/options/gamma-exposure', asked),
      volatility: at('/v1/volatility', { symbol: asked.symbol }),
    },
    ({ info, gamma, volatility }) => {
      const month = volatility?.implied.find(({ days }) => days === 30)?.at_the_money ?? null;
      return [
        ['Underlying', price(info?.underlying_price ?? null)],
        ['Open interest, USD', compact(info?.total_open_interest_usd ?? null)],
        ['Puts/calls', fixed(info?.put_call_ratio ?? null, 2)],
        ['IV, 30 days', share(month)],
        ['Net gamma, USD', compact(gamma?.net_usd ?? null)],
        ['Gamma flips at', price(gamma?.flip_price ?? null)],
      ];
    },
    { every: 5_000, cadence: minute },
  );

/** A choice of an expiry with what is of one: its strikes, trades and chain, once the expiries are known. */
function oneExpiry(asked: Asked, chosen: URLSearchParams): Part {
  const wanted = chosen.get('expiry') ?? '';
  const bar = headed('h2', 'One expiry');
  const [strikes, traded, chain] = [new Slot(), new Slot(), new Slot(null, 'whole tall')];
  let shown = '';
  const show = (expiry: string) => {
    strikes.show(() => strikesPart(asked, expiry));
    traded.show(() => tradedPart(asked, expiry));
    chain.show(() => chainPart(asked, expiry));
  };
  const stop = watch(infoOf(asked), 5_000, {
    data({ expiries }) {
      const dates = expiries.map(({ date }) => date);
      if (dates.length === 0 || dates.join() === shown) return;
      shown = dates.join();
      const usual = expiries.find(({ days_to_expiry: days }) => days >= 1)?.date ?? dates[0];
      const first = dates.find((date) => date === wanted) ?? usual ?? '';
      const next = (expiry: string) => {
        choose({ expiry });
        show(expiry);
      };
      bar.replaceChildren(
        h('h2', {}, 'One expiry'),
        choice(
          'Expiry',
          dates.map((date) => [date, dayText(date)] as const),
          { chosen: first, choose: next },
        ),
      );
      show(first);
    },
  });
  const node = h('div', { class: 'stack' });
  const end = fill(node, [bar, [strikes, traded, chain]]);
  return {
    node,
    end() {
      stop();
      end();
    },
  };
}

/** A choice of the assets that have options; `missing` is told of them where the one that is shown has none. */
function assets(symbol: string, missing: (all: readonly string[]) => void): Part {
  const choiceOf = (all: readonly string[]) =>
    choice('Asset', all, { chosen: symbol, choose: goTo });
  const node = h('span', { class: 'later' }, choiceOf([symbol]));
  let shown = symbol;
  const end = watch(at('/v1/options/exchange-oi', {}), 5_000, {
    data({ items }) {
      const found = [...new Set(items.map((one) => one.symbol))];
      if (found.length > 0 && !found.includes(symbol)) missing(found);
      const all = [...new Set([...found, symbol])];
      if (all.join() === shown) return;
      shown = all.join();
      node.replaceChildren(choiceOf(all));
    },
  });
  return { node, end };
}

/** Says that an asset has no options, and which have. */
const noOptions = (symbol: string, all: readonly string[]): (Node | string)[] => [
  `No exchange that is followed lists options on ${symbol}. There are options on `,
  ...all.flatMap((one, at) => [
    at === 0 ? '' : ', ',
    h('a', { href: `#/options/${encodeURIComponent(one)}` }, one),
  ]),
  '.',
];

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, about: string, chosen: URLSearchParams): () => void {
  const symbol = about === '' ? 'BTC' : about.toUpperCase();
  const exchange = pageChoice('Exchange', exchanges, 'exchange');
  const asked = { symbol, exchange: exchange.get() };
  const rest = h('div', { class: 'stack' });
  const words = h('p', { role: 'status', hidden: true });
  const asset = assets(symbol, (all) => {
    words.replaceChildren(...noOptions(symbol, all));
    words.hidden = false;
    rest.hidden = true;
  });
  into.append(headed('h1', `Options on ${symbol}`, asset.node, exchange.node), words, rest);
  const end = fill(rest, [
    numbersPart(asked),
    [
      parts.surfacePart(asked),
      parts.smilePart(asked),
      parts.termPart(asked),
      parts.gammaPart(asked),
      flowPart(asked),
      expiriesPart(asked),
      parts.painPart(asked),
      parts.holdingsPart(asked),
      parts.conePart(asked),
      pastPart(symbol, 'atm_iv', { title: 'Volatility over time', line: 'At the money' }),
      pastPart(symbol, 'skew_25d', { title: 'Skew over time', line: 'Puts less calls, 25 delta' }),
    ],
    oneExpiry(asked, chosen),
  ]);
  return () => {
    asset.end();
    end();
  };
}
