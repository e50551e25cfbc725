/** Ways to the form of an alert from where its value is shown. */
import { isOpen, mayRead } from '../access.ts';
import { h } from '../dom.ts';

/** A link to the form for a value of a symbol, by the id of the watch; none where there are no alerts. */
export const alertLink = (symbol: string, watch: 'funding' | 'liquidated'): HTMLElement[] => {
  const href = `#/alerts?symbol=${encodeURIComponent(symbol)}&watch=${watch}`;
  return isOpen || !mayRead() ? [] : [h('a', { href, class: 'quiet' }, 'Alert')];
};
