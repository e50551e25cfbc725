/** Buttons that show a pane, or the marks, and hide it again. */
import { h } from '../dom.ts';
import { type Pane, paneNames, panes } from './panes.ts';

/** What the chart shows besides candles. */
export interface Toggled {
  panes: readonly Pane[];
  /** Whether the largest liquidations are marked on their candles. */
  isMarked: boolean;
}

/** What a link names: the word of each pane, and `marks`. */
export function toggledIn(link: string): Toggled {
  const wanted = link.split(',');
  return {
    panes: panes.filter((pane) => wanted.includes(pane)),
    isMarked: wanted.includes('marks'),
  };
}

export const linkOf = ({ panes: shown, isMarked }: Toggled): string =>
  [...shown, ...(isMarked ? ['marks'] : [])].join() || 'none';

/** A button for each pane and for the marks; `get` is what is shown now. */
export function toggleButtons(get: () => Toggled, set: (next: Toggled) => void): HTMLElement {
  const button = (words: string, isOn: () => boolean, press: () => void) => {
    const made = h('button', { type: 'button', 'aria-pressed': String(isOn()) }, words);
    made.addEventListener('click', () => {
      press();
      made.setAttribute('aria-pressed', String(isOn()));
    });
    return made;
  };
  const ofPanes = panes.map((pane) =>
    button(
      paneNames[pane],
      () => get().panes.includes(pane),
      () => {
        const { panes: shown, isMarked } = get();
        const isShown = shown.includes(pane);
        const next = panes.filter((one) => (one === pane ? !isShown : shown.includes(one)));
        set({ panes: next, isMarked });
      },
    ),
  );
  const marks = button(
    'Marks',
    () => get().isMarked,
    () => set({ ...get(), isMarked: !get().isMarked }),
  );
  marks.title = 'The twelve largest liquidations on their candles: longs under, shorts over them';
  return h(
    'div',
    { class: 'toggles', role: 'group', 'aria-label': 'Panes and marks' },
    ...ofPanes,
    marks,
  );
}
