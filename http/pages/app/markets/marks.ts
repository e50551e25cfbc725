/** The mark on a single number: that it is old, or that it is not of all exchanges. */
import { h, setText } from '../dom.ts';
import { duration } from '../format.ts';
import type { Asset } from './data.ts';

/** What is to be said of a number: what is shown, and in words. */
interface Mark {
  shown: string[];
  words: string[];
  /** It is of little worth, and not only without some exchanges. */
  isWarning: boolean;
}

/** The mark on a number by its name in the answer; null where there is nothing to be said of it. */
function markOf({ disputed, outliers, old_since }: Asset, field: string): Mark | null {
  const isDisputed = disputed === true && field === 'price';
  const without = outliers?.[field];
  const since = old_since?.[field];
  if (!isDisputed && without === undefined && since === undefined) return null;
  const mark: Mark = { shown: [], words: [], isWarning: isDisputed || since !== undefined };
  if (isDisputed || without !== undefined) mark.shown.push('≠');
  if (isDisputed) mark.words.push('the exchanges differ by more than 10 %');
  if (without !== undefined) mark.words.push(`without ${without.join(', ')}, far from the others`);
  if (since !== undefined) {
    const age = duration(Date.now() - since);
    // There is little room in a cell: `3m`.
    mark.shown.push(age.replace(/ (.).*/, '$1'));
    mark.words.push(`${age} old`);
  }
  return mark;
}

/** Shows the mark on a number in its cell, before what is there. */
export function markView(cell: HTMLElement, field = ''): (asset: Asset) => void {
  // Most cells never have one.
  let node: HTMLElement | null = null;
  return (asset) => {
    const mark = markOf(asset, field);
    cell.classList.toggle('marked', mark !== null);
    if (node !== null) node.hidden = mark === null;
    if (mark === null) return;
    if (node === null) {
      node = h('span', { role: 'img' });
      cell.prepend(node);
    }
    const words = mark.words.join('; ');
    setText(node, mark.shown.join(' '));
    node.className = mark.isWarning ? 'mark warn' : 'mark soft';
    node.title = words;
    node.setAttribute('aria-label', words);
  };
}
