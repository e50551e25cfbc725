/** Buttons that show a pane, the marks, or percent in the place of prices, and hide it again. */
import { h } from '../dom.ts';
import { type Pane, paneNames, panes } from './panes.ts';

/** What the chart shows besides candles. */
export interface Toggled {
  panes: readonly Pane[];
  /** Whether the largest liquidations are marked on their candles. */
  isMarked: boolean;
  /** Prices are changes since the left edge, in percent. */
  isPercent: boolean;
}

/** What a link names: the word of each pane, `marks` and `percent`. */
export function toggledIn(link: string): Toggled {
  const wanted = link.split(',');
  return {
    panes: panes.filter((pane) => wanted.includes(pane)),
    isMarked: wanted.includes('marks'),
    isPercent: wanted.includes('percent'),
  };
}

export function linkOf({ panes: shown, isMarked, isPercent }: Toggled): string {
  const words: string[] = [...shown];
  if (isMarked) words.push('marks');
  if (isPercent) words.push('percent');
  return words.join() || 'none';
}

/** A button for each pane, for the marks and for percent; `get` is what is shown now. */
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
        const { panes: shown } = get();
        const isShown = shown.includes(pane);
        const next = panes.filter((one) => (one === pane ? !isShown : shown.includes(one)));
        set({ ...get(), panes: next });
      },
    ),
  );
  const marks = button(
    'Marks',
    () => get().isMarked,
    () => set({ ...get(), isMarked: !get().isMarked }),
  );
  marks.title = 'The twelve largest liquidations on their candles: longs under, shorts over them';
  const percent = button(
    '%',
    () => get().isPercent,
    () => set({ ...get(), isPercent: !get().isPercent }),
  );
  percent.title = 'Changes in percent since the left edge, for all that is compared';
  percent.setAttribute('aria-label', 'Percent');
  return h(
    'div',
    { class: 'toggles', role: 'group', 'aria-label': 'What the chart shows' },
    ...ofPanes,
    marks,
    percent,
  );
}
