/** Assets by their technical indicators. */
import { intervals as lengths } from '../../../../indicators/market/intervals.ts';
import { choice, formOf, h, labelled, submitButton, textField } from '../dom.ts';
import { exchangeColumn } from '../exchange-names.ts';
import { fixed, price } from '../format.ts';
import { type Part, Slot } from '../part.ts';
import { choose } from '../place.ts';
import { at, type ScreenerItem } from '../request.ts';
import { tablePart } from '../table-part.ts';

const intervals = ['5m', '15m', '30m', '1h', '4h', '1d'] as const;

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
      { head: 'Symbol', of: 'symbol' },
      { ...exchangeColumn, tone: 'soft' },
      { head: 'Price', of: 'price', as: price },
      ...Object.keys(items[0]?.values ?? {}).map((name) => ({
        head: name,
        of: ({ values }: ScreenerItem) => values[name] ?? null,
        as: (value: number) => fixed(value, Math.abs(value) < 1000 ? 2 : 0),
      })),
    ],
    none: 'No tracked asset fulfils all conditions now.',
  });

/** The heading, the form and its result; the address keeps what was asked. */
export function screenerPart(chosen: URLSearchParams): (HTMLElement | Part[])[] {
  const [usual] = questions;
  const asked: Question = {
    indicators: chosen.get('indicators') ?? usual.indicators,
    filter: chosen.get('filter') ?? usual.filter,
    sort: chosen.get('sort') ?? usual.sort,
    interval: intervals.find((one) => one === chosen.get('interval')) ?? '1h',
  };
  const place = new Slot(() => resultPart(asked), 'whole');
  const fieldOf = (value: string, placeholder: string, size = '20') =>
    textField({ size, value, placeholder });
  const indicators = fieldOf(asked.indicators, 'rsi,ema:200');
  const filter = fieldOf(asked.filter, 'rsi<30,price>ema_200');
  const sort = fieldOf(asked.sort, 'rsi', '8');
  const ask = (changes: Partial<Question>) => {
    Object.assign(asked, changes);
    indicators.value = asked.indicators;
    filter.value = asked.filter;
    sort.value = asked.sort;
    choose({ ...asked });
    place.show(() => resultPart(asked));
  };
  const matching = questions.find(
    (one) => one.indicators === asked.indicators && one.filter === asked.filter,
  );
  const question = choice(
    'Question',
    questions.map(({ shown }) => shown),
    {
      chosen: (matching ?? usual).shown,
      choose(name) {
        const { shown: _, ...found } = questions.find(({ shown }) => shown === name) ?? usual;
        ask(found);
      },
    },
  );
  const submit = () =>
    ask({ indicators: indicators.value, filter: filter.value, sort: sort.value });
  const form = formOf(
    { class: 'bar' },
    submit,
    question,
    labelled('Indicators', indicators),
    labelled('Conditions', filter),
    labelled('Sort by', sort),
    choice('Interval', intervals, {
      chosen: asked.interval,
      choose: (interval) => ask({ interval }),
    }),
    submitButton('Ask'),
  );
  return [h('h2', {}, 'Screener'), form, [place]];
}
