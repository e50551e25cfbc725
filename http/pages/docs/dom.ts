/** Parts of the documentation. */
import { type Child, h } from '../app/dom.ts';

/** Text with `code` between backticks. */
export const marked = (text: string): Child[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? h('code', {}, part) : part));

/** A folded part of the page; `fill` makes its content when it is opened for the first time. */
export function folded(
  attributes: Readonly<Record<string, string>>,
  summary: readonly Child[],
  fill: () => readonly Child[],
): HTMLDetailsElement {
  const details = h('details', attributes, h('summary', {}, ...summary));
  const open = () => details.append(...fill().filter((child) => child !== null));
  details.addEventListener('toggle', open, { once: true });
  return details;
}
