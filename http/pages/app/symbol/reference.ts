/** The reference rate of an asset with all of its inputs. */
import { h, setText } from '../dom.ts';
import { figure, type Rows } from '../figure.ts';
import { compact, duration, fixed, percent, price, signOf } from '../format.ts';
import { wordsFor } from '../panel.ts';
import type { Part } from '../part.ts';
import { cell, headRow, rowHead, scroller } from '../rows.ts';
import { follow } from '../stream.ts';

interface Reference {
  rate: number | null;
  reason: string | null;
  method: string;
  used: number;
  venues: readonly {
    exchange: string;
    market: string;
    price: number | null;
    weight: number | null;
    deviation_percent: number | null;
    status: string;
    age_ms: number | null;
    volume_60m_base: number | null;
  }[];
  /** Absent without a rate. */
  explanation?: { rule: string; inputs: readonly Input[] };
}

/** What a market states, before it is converted to dollars. */
interface Input {
  exchange: string;
  market: string;
  value: number | null;
  unit: string;
  conversion: number | null;
}

const inputNames = [
  'exchange',
  'market',
  'stated_price',
  'unit',
  'conversion',
  'price',
  'weight',
  'deviation_percent',
  'volume_60m_base',
  'age_ms',
  'status',
] as const;

/** The rule without what it says of the fields of the answer. */
const ruleOf = (rule = ''): string => rule.replace(/;.*$/, '.');

const statedOf = (input: Input | undefined): string =>
  input === undefined ? '–' : `${price(input.value)} ${input.unit}`;

/** What a file has of the inputs. */
const rowsOf = (venues: Reference['venues'], stated: ReadonlyMap<string, Input>): Rows => [
  inputNames,
  ...venues.map((one) => {
    const { value = null, unit, conversion } = stated.get(`${one.exchange} ${one.market}`) ?? {};
    const all = { ...one, stated_price: value, unit, conversion };
    return inputNames.map((name) => all[name]);
  }),
];

const venueRow = (one: Reference['venues'][number], stated: Input | undefined): HTMLElement =>
  h(
    'tr',
    {},
    rowHead(one.exchange),
    h('td', { class: 'soft' }, one.market),
    cell(statedOf(stated)),
    cell(price(one.price)),
    cell(one.weight === null ? '–' : `${fixed(one.weight * 100, 1)} %`),
    cell(percent(one.deviation_percent, 3), signOf(one.deviation_percent, 0.0005)),
    cell(compact(one.volume_60m_base)),
    cell(one.age_ms === null ? '–' : duration(one.age_ms)),
    cell(one.status.replaceAll('_', ' '), one.status === 'used' ? '' : 'warn'),
  );

const heads = [
  'Exchange',
  'Market',
  'Stated',
  'In dollars',
  'Weight',
  'Deviation',
  'Volume 60 min',
  'Age',
  'State',
];

/** Follows the reference rate of an asset, with every input. */
export function referencePart(symbol: string): Part {
  const path = `/v1/reference-rate?symbol=${encodeURIComponent(symbol)}&explain=1`;
  let rows: Rows = [];
  const rate = h('strong', { class: 'rate' });
  const body = h('tbody', {});
  const of = figure({
    heading: 'Reference rate',
    name: `${symbol}-reference-rate`,
    path: () => path,
    rows: () => rows,
    tools: [rate],
  });
  of.body.append(scroller('Inputs of the reference rate', headRow(heads, 2), body));
  const end = follow(path, {
    data(data) {
      const { rate: value, reason, method, used, venues, explanation } = data as Reference;
      const inputs = explanation?.inputs ?? [];
      const stated = new Map(inputs.map((one) => [`${one.exchange} ${one.market}`, one]));
      rows = rowsOf(venues, stated);
      setText(rate, price(value));
      of.setAbout(
        value === null
          ? `There is no rate now: ${reason}.`
          : `${method.replaceAll(/[-_]/g, ' ')} of ${used} of ${venues.length} spot markets against dollars. ${ruleOf(explanation?.rule)}`,
      );
      body.replaceChildren(
        ...venues.map((one) => venueRow(one, stated.get(`${one.exchange} ${one.market}`))),
      );
      of.say(null);
    },
    missing(message, code) {
      setText(rate, '');
      of.say(wordsFor(code, message));
    },
  });
  return { node: of.node, end };
}
