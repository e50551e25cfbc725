/** Parts of plain tables. */
import { h } from './dom.ts';

/** A table that scrolls by itself where the screen is too narrow. */
export const scroller = (label: string, ...children: Node[]): HTMLElement =>
  h(
    'div',
    { class: 'wide', tabindex: '0', role: 'region', 'aria-label': label },
    h('table', {}, ...children),
  );

/** A node that shows one row after another. */
export interface View<R> {
  node: Element;
  show(row: R): void;
}

/** Puts nodes into a parent in their order. Those that are in place are not touched. */
function putIn(parent: Element, nodes: readonly Element[]): void {
  const wanted = new Set(nodes);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  const focused = document.activeElement;
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (node === next) next = next.nextElementSibling;
    else parent.insertBefore(node, next);
  }
  // A node that is moved loses the focus.
  if (focused !== document.activeElement && focused instanceof HTMLElement)
    focused.focus({ preventScroll: true });
}

/**
 * Shows rows in a parent: a row that was there before has the same node, in which only what differs is changed, so that the focus, a
 * selection and the place of scrolling stay. Rows of one name are told apart by their order. `empty` stands there while there are none.
 */
export function keyedRows<R>(
  parent: Element,
  { name, make, empty = [] }: { name(row: R): string; make(row: R): View<R>; empty?: Element[] },
): (rows: readonly R[]) => void {
  let views = new Map<string, View<R>>();
  return (rows) => {
    const before = views;
    const counts = new Map<string, number>();
    views = new Map();
    for (const row of rows) {
      const of = name(row);
      const count = counts.get(of) ?? 0;
      counts.set(of, count + 1);
      const key = `${count} ${of}`;
      const view = before.get(key) ?? make(row);
      view.show(row);
      views.set(key, view);
    }
    const nodes = [...views.values()].map(({ node }) => node);
    putIn(parent, nodes.length === 0 ? empty : nodes);
  };
}
