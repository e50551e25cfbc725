export type Child = Node | string | null;

/** Attributes; false leaves one out, true is an empty one, and a function listens to the event of its name. */
type Attributes = Readonly<Record<string, string | boolean | ((event: Event) => void)>>;

/** An element; a button submits no form where it does not say so. Children that are null are left out; text stays text. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  if (tag === 'button') made.setAttribute('type', 'button');
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name, value);
    else if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** The element of the page with an id and a class. */
export function byId<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no #${id}`);
}

/** Sets text where it differs: what stays is not laid out again. */
export function setText(element: Node, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Fills an element anew; the control in it that has the focus is found again by its name. */
export function refill(element: Element, fill: () => void): void {
  const focused = document.activeElement;
  const name = element.contains(focused) ? focused?.getAttribute('name') : null;
  fill();
  if (name) element.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
}

/** Sets an attribute where it differs. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** A field of a toolbar: words, and the control that they name. */
export const labelled = (words: string, control: HTMLElement): HTMLElement =>
  h('label', { class: 'field' }, h('span', {}, words), control);

/** A choice of one among a few. */
export function choice<V extends string>(
  words: string,
  options: readonly (readonly [value: V, shown: string])[],
  { chosen, choose }: { chosen: V; choose(value: V): void },
): HTMLElement {
  const select = h(
    'select',
    {
      name: words,
      change: () => {
        const found = options[select.selectedIndex];
        if (found) choose(found[0]);
      },
    },
    ...options.map(([value, shown]) => h('option', { value, selected: value === chosen }, shown)),
  );
  return labelled(words, select);
}

/** A symbol to look at, by its name; with words for it none is a choice too. */
export function symbolField(
  symbol: string,
  choose: (symbol: string) => void,
  none = '',
): HTMLElement {
  const input = h('input', {
    name: 'Symbol',
    value: symbol,
    placeholder: none,
    size: '8',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  input.addEventListener('change', () => {
    const next = input.value.trim().toUpperCase();
    if (next !== '' || none !== '') choose(next);
  });
  return labelled('Symbol', input);
}
