/** The reference rate of an asset with all of its inputs. */
import { h, setText } from '../dom.ts';
import { compact, duration, fixed, percent, price, signOf } from '../format.ts';
import type { Part } from '../part.ts';
import { at, type ExplanationInput, type ReferenceRate, type ReferenceVenue } from '../request.ts';
import { tablePart } from '../table-part.ts';

/** The rule without what it says of the fields of the answer. */
const ruleOf = (rule = ''): string => rule.replace(/;.*$/, '.');

/** A market with what it states. */
type Row = ReferenceVenue & { input: ExplanationInput | undefined };

function rowsOf({ venues, explanation }: ReferenceRate): Row[] {
  const inputs = explanation?.inputs ?? [];
  const stated = new Map(inputs.map((one) => [`${one.exchange} ${one.market}`, one]));
  return venues.map((one) => ({ ...one, input: stated.get(`${one.exchange} ${one.market}`) }));
}

/** Follows the reference rate of an asset, with every input. */
export function referencePart(symbol: string): Part {
  const rate = h('strong', { class: 'rate' });
  return tablePart({
    title: 'Reference rate',
    name: `${symbol}-reference-rate`,
    about: ({ rate: value, reason, method, used, venues, explanation }) =>
      value === null
        ? `There is no rate now: ${reason}.`
        : `${method.replaceAll(/[-_]/g, ' ')} of ${used} of ${venues.length} spot markets against dollars. ${ruleOf(explanation?.rule)}`,
    path: at('/v1/reference-rate', { symbol, explain: '1' }),
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
      { head: 'Quoted in', of: ({ input }) => input?.unit ?? null, tone: () => 'soft' },
      {
        head: 'State',
        of: ({ status }) => status.replaceAll('_', ' '),
        tone: ({ status }) => (status === 'used' ? '' : 'warn'),
      },
      { head: 'Quoted price', of: ({ input }) => input?.value ?? null, as: price },
      { head: 'Conversion', of: ({ input }) => input?.conversion ?? null, as: price },
      { head: 'Price, USD', of: (one) => one.price, as: price },
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
