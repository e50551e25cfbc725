/** Views of the markets that a reader has saved in this browser: what the address keeps, with the columns. */
import { formOf, h, labelled, submitButton } from '../dom.ts';
import { removeButton } from '../menu.ts';
import { reopenAt } from '../place.ts';
import { keyedRows } from '../rows.ts';
import { kept } from '../settings.ts';
import type { ChosenColumns } from './columns.ts';

interface SavedView {
  name: string;
  /** Choices, as the address has them. */
  query: string;
  columns: readonly string[] | null;
}

/** Saved views at most; the oldest goes. */
const most = 30;
const saved = kept<readonly SavedView[]>('views', []);

/** The saved views, with a form for another. */
export function viewsMenu(columns: ChosenColumns): HTMLElement {
  const name = h('input', { required: true, maxlength: '40', autocomplete: 'off' });
  const list = h('ul', { class: 'views' });
  const submit = () => {
    const [, query = ''] = location.hash.split('?');
    const view = { name: name.value.trim(), query, columns: columns.get() };
    set([...saved.get().filter((one) => one.name !== view.name), view]);
    name.value = '';
  };
  const menu = formOf(
    { class: 'menu', id: 'views', popover: 'auto', 'aria-label': 'Saved views' },
    submit,
    list,
    labelled('Name', name),
    submitButton('Save this view'),
  );
  const open = (view: SavedView) => {
    columns.set(view.columns);
    reopenAt(`#/markets${view.query === '' ? '' : `?${view.query}`}`);
  };
  const set = (views: readonly SavedView[]) => {
    saved.set(views.slice(-most));
    show(saved.get());
  };
  const show = keyedRows<SavedView>(list, {
    name: (view) => view.name,
    make(made) {
      let view = made;
      const remove = () => set(saved.get().filter((one) => one.name !== view.name));
      return {
        node: h(
          'li',
          {},
          h('button', { class: 'quiet', click: () => open(view) }, view.name),
          removeButton(view.name, remove),
        ),
        show(next) {
          view = next;
        },
      };
    },
    empty: [h('li', { class: 'soft' }, 'Filters, sorting, map and columns, under a name.')],
  });
  show(saved.get());
  return menu;
}
