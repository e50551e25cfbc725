/** The reference rate of an asset with all of its inputs. */
import { h, setText } from '../dom.ts';
import { compact, duration, fixed, percent, price, signOf } from '../format.ts';
import type { Part } from '../part.ts';
import { tablePart } from '../table-part.ts';

interface Venue {
  exchange: string;
  market: string;
  price: number | null;
  weight: number | null;
  deviation_percent: number | null;
  status: string;
  age_ms: number | null;
  volume_60m_base: number | null;
}
interface Reference {
  rate: number | null;
  reason: string | null;
  method: string;
  used: number;
  venues: readonly Venue[];
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

/** The rule without what it says of the fields of the answer. */
const ruleOf = (rule = ''): string => rule.replace(/;.*$/, '.');

/** A market with what it states. */
type Row = Venue & { input: Input | undefined };

function rowsOf({ venues, explanation }: Reference): Row[] {
  const inputs = explanation?.inputs ?? [];
  const stated = new Map(inputs.map((one) => [`${one.exchange} ${one.market}`, one]));
  return venues.map((one) => ({ ...one, input: stated.get(`${one.exchange} ${one.market}`) }));
}

/** Follows the reference rate of an asset, with every input. */
export function referencePart(symbol: string): Part {
  const rate = h('strong', { class: 'rate' });
  return tablePart<Reference, Row>({
    title: 'Reference rate',
    name: `${symbol}-reference-rate`,
    about: ({ rate: value, reason, method, used, venues, explanation }) =>
      value === null
        ? `There is no rate now: ${reason}.`
        : `${method.replaceAll(/[-_]/g, ' ')} of ${used} of ${venues.length} spot markets against dollars. ${ruleOf(explanation?.rule)}`,
    path: `/v1/reference-rate?symbol=${encodeURIComponent(symbol)}&explain=1`,
    every: 1_000,
    isWide: true,
    controls: [rate],
    rows(data) {
      setText(rate, price(data.rate));
      return rowsOf(data);
    },
    columns: [
      { head: 'Exchange', of: ({ exchange }) => exchange },
      { head: 'Market', of: ({ market }) => market, tone: () => 'soft' },
      { head: 'In', of: ({ input }) => input?.unit ?? null, tone: () => 'soft' },
      {
        head: 'State',
        of: ({ status }) => status.replaceAll('_', ' '),
        tone: ({ status }) => (status === 'used' ? '' : 'warn'),
      },
      { head: 'Stated', of: ({ input }) => input?.value ?? null, as: price },
      { head: 'Conversion', of: ({ input }) => input?.conversion ?? null, as: price },
      { head: 'In dollars', of: (one) => one.price, as: price },
      { head: 'Weight', of: ({ weight }) => weight, as: (part) => `${fixed(part * 100, 1)} %` },
      {
        head: 'Deviation',
        of: (one) => one.deviation_percent,
        as: (value) => percent(value, 3),
        tone: (one) => signOf(one.deviation_percent, 0.0005),
      },
      { head: 'Volume 60 min', of: (one) => one.volume_60m_base, as: compact },
      { head: 'Age', of: (one) => one.age_ms, as: duration },
    ],
    none: 'No spot market is known.',
  });
}
