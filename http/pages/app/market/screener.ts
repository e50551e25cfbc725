/** Assets by their technical indicators. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import { choice, h, labelled } from '../dom.ts';
import { fixed, price } from '../format.ts';
import { type Part, Slot } from '../part.ts';
import { choose } from '../place.ts';
import { at, type ScreenerItem } from '../request.ts';
import { tablePart } from '../table-part.ts';

interface Question {
  indicators: string;
  filter: string;
  sort: string;
  interval: (typeof intervals)[number];
}

/** Questions that are asked often. */
const questions = [
  { shown: 'All by RSI', indicators: 'rsi,macd,ema:200', filter: '', sort: 'rsi' },
  { shown: 'Oversold', indicators: 'rsi,ema:200', filter: 'rsi<30', sort: 'rsi' },
  { shown: 'Overbought', indicators: 'rsi,ema:200', filter: 'rsi>70', sort: 'rsi' },
  { shown: 'Above the 200 EMA', indicators: 'ema:200,rsi', filter: 'price>ema_200', sort: 'rsi' },
  { shown: 'Strong trend', indicators: 'adx,rsi', filter: 'adx.adx>25', sort: 'adx.adx' },
] as const;

const intervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;

const inWords = (value: number) => fixed(value, Math.abs(value) < 1000 ? 2 : 0);

const resultPart = (asked: Question): Part =>
  tablePart({
    title: 'Results',
    about: 'Tracked assets by indicators of the last closed candle',
    name: 'screener',
    path: at('/v1/screener', asked),
    every: 10_000,
    cadence: lengths[asked.interval],
    rows: ({ items }) => items,
    columns: ({ items }) => [
      { head: 'Symbol', of: ({ symbol }) => symbol },
      { head: 'Exchange', of: ({ exchange }) => exchange, tone: () => 'soft' },
      { head: 'Price', of: (one) => one.price, as: price },
      ...Object.keys(items[0]?.values ?? {}).map((name) => ({
        head: name,
        of: ({ values }: ScreenerItem) => values[name] ?? null,
        as: inWords,
      })),
    ],
    none: 'No tracked asset fulfils all conditions now.',
  });

/** The form and its result; the address keeps what was asked. */
export function screenerPart(chosen: URLSearchParams): Part & { form: HTMLElement } {
  const [usual] = questions;
  const asked: Question = {
    indicators: chosen.get('indicators') ?? usual.indicators,
    filter: chosen.get('filter') ?? usual.filter,
    sort: chosen.get('sort') ?? usual.sort,
    interval: intervals.find((one) => one === chosen.get('interval')) ?? '1h',
  };
  const place = new Slot(() => resultPart(asked), 'whole');
  const fieldOf = (name: 'indicators' | 'filter' | 'sort', about: string, size = '20') =>
    h('input', {
      size,
      value: asked[name],
      placeholder: about,
      spellcheck: 'false',
      autocomplete: 'off',
    });
  const fields = {
    indicators: fieldOf('indicators', 'rsi,ema:200'),
    filter: fieldOf('filter', 'rsi<30,price>ema_200'),
    sort: fieldOf('sort', 'rsi', '8'),
  };
  const ask = (changes: Partial<Question>) => {
    Object.assign(asked, changes);
    fields.indicators.value = asked.indicators;
    fields.filter.value = asked.filter;
    fields.sort.value = asked.sort;
    choose({ ...asked });
    place.show(() => resultPart(asked));
  };
  const names = questions.map(({ shown }) => [shown, shown] as const);
  const matching = questions.find(
    ({ indicators, filter }) => indicators === asked.indicators && filter === asked.filter,
  );
  const form = h(
    'form',
    {
      class: 'bar',
      submit: (event) => {
        event.preventDefault();
        const { indicators, filter, sort } = fields;
        ask({ indicators: indicators.value, filter: filter.value, sort: sort.value });
      },
    },
    choice('Question', names, {
      chosen: (matching ?? usual).shown,
      choose(name) {
        const { shown: _, ...question } = questions.find(({ shown }) => shown === name) ?? usual;
        ask(question);
      },
    }),
    labelled('Indicators', fields.indicators),
    labelled('Conditions', fields.filter),
    labelled('Sort by', fields.sort),
    choice(
      'Interval',
      intervals.map((one) => [one, one] as const),
      {
        chosen: asked.interval,
        choose: (interval) => ask({ interval }),
      },
    ),
    h('button', { type: 'submit', class: 'main' }, 'Ask'),
  );
  return {
    form,
    node: h('div', { class: 'panels' }, place.node),
    end: () => place.end(),
  };
}
