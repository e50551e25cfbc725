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

/** A value that can be chosen, with its words where it is not shown as it is. */
export type Option<V extends string> = V | readonly [value: V, shown: string];
export const idOf = <V extends string>(option: Option<V>): V =>
  typeof option === 'string' ? option : option[0];

/** A list to choose from. */
export function selectOf<V extends string>(
  options: readonly Option<V>[],
  attributes: Attributes = {},
  chosen?: V,
): HTMLSelectElement {
  const all = options.map((one) => {
    const [value, shown] = typeof one === 'string' ? [one, one] : one;
    return h('option', { value, selected: value === chosen }, shown);
  });
  return h('select', attributes, ...all);
}

/** A choice of one among a few. */
export function choice<V extends string>(
  words: string,
  options: readonly Option<V>[],
  { chosen, choose }: { chosen: V; choose(value: V): void },
): HTMLElement {
  const change = () => {
    const found = options[select.selectedIndex];
    if (found !== undefined) choose(idOf(found));
  };
  const select = selectOf(options, { name: words, change }, chosen);
  return labelled(words, select);
}

/** A field for words of a reader's own, in which the browser neither suggests nor corrects. */
export const textField = (attributes: Attributes): HTMLInputElement =>
  h('input', { autocomplete: 'off', spellcheck: 'false', ...attributes });

/** A form that the scripts answer. */
export function formOf(
  attributes: Attributes,
  submit: (event: SubmitEvent) => void,
  ...children: readonly Child[]
): HTMLFormElement {
  const made = h('form', attributes, ...children);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(event);
  });
  return made;
}

/** The button of a form. */
export const submitButton = (words: string): HTMLButtonElement =>
  h('button', { type: 'submit', class: 'main' }, words);

/** A symbol to look at, by its name; with words for it none is a choice too. */
export function symbolField(
  symbol: string,
  choose: (symbol: string) => void,
  none = '',
): HTMLElement {
  const change = () => {
    const next = input.value.trim().toUpperCase();
    if (next !== '' || none !== '') choose(next);
  };
  const attributes = { name: 'Symbol', value: symbol, placeholder: none, size: '8', change };
  const input = textField(attributes);
  return labelled('Symbol', input);
}
