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

/** The word of each in a link, that of its button, and what that says. */
const toggles = [
  ...panes.map((pane) => [pane, paneNames[pane], ''] as const),
  [
    'marks',
    'Marks',
    'The twelve largest liquidations on their candles: longs under, shorts over them',
  ],
  ['percent', '% change', 'Changes in percent since the left edge, for all that is compared'],
] as const;

/** What a link names. */
export function toggledIn(link: string): Toggled {
  const wanted = link.split(',');
  return {
    panes: panes.filter((pane) => wanted.includes(pane)),
    isMarked: wanted.includes('marks'),
    isPercent: wanted.includes('percent'),
  };
}

/** A button for each; `change` gets the link of what is shown then. */
export function toggleButtons(link: string, change: (link: string) => void): HTMLElement {
  const shown = new Set(link.split(','));
  const buttons = toggles.map(([word, name, title]) => {
    const button = h('button', { title }, name);
    const show = () => button.setAttribute('aria-pressed', String(shown.has(word)));
    button.addEventListener('click', () => {
      if (!shown.delete(word)) shown.add(word);
      show();
      const words = toggles.flatMap(([one]) => (shown.has(one) ? [one] : []));
      change(words.join() || 'none');
    });
    show();
    return button;
  });
  const group = { class: 'toggles', role: 'group', 'aria-label': 'What the chart shows' };
  return h('div', group, ...buttons);
}
