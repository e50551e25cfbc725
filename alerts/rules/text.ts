/** What a person reads of a firing. */
import type { AlertCondition, AlertEvent, AlertRule } from '../../actors/topics/index.ts';

/** With all digits that are served. */
const numbers = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 12 });
const shown = (value: number | null): string =>
  value === null ? 'no value' : numbers.format(value);

/** A condition in words. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.type) {
    case 'above':
    case 'below':
      return `${condition.type} ${shown(condition.value)}`;
    case 'crosses': {
      const way = condition.direction === 'any' ? '' : ` ${condition.direction}`;
      return `crosses ${shown(condition.value)}${way}`;
    }
    case 'change':
      return `${condition.direction === 'any' ? '' : `${condition.direction} `}${shown(condition.percent)} % within ${condition.within} s`;
    case 'outside':
      return `outside ${shown(condition.low)} to ${shown(condition.high)}`;
    case 'stale':
      return `no news for ${condition.after} s`;
    default: {
      const { above, below } = condition;
      const parts = [
        above === null ? [] : [`above ${shown(above)}`],
        below === null ? [] : [`below ${shown(below)}`],
      ].flat();
      return parts.length === 0 ? 'an event' : `an event ${parts.join(' and ')}`;
    }
  }
}

/** One line about a firing. */
export function eventText(
  { name, path, condition }: Pick<AlertRule, 'name' | 'path' | 'condition'>,
  { kind, subject, value }: Pick<AlertEvent, 'kind' | 'subject' | 'value'>,
): string {
  const what = subject === null ? '' : `${subject} `;
  const head = kind === 'test' ? 'TEST ' : kind === 'resolved' ? 'Resolved: ' : '';
  const is = condition.type === 'stale' ? `${shown(value)} s without news` : shown(value);
  return `${head}${name}: ${what}${is} (${conditionText(condition)}; ${path})`;
}
