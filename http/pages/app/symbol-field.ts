import { h } from './dom.ts';

/** A symbol to look at, by its name. */
export function symbolField(symbol: string, choose: (symbol: string) => void): HTMLElement {
  const input = h('input', { value: symbol, size: '8', spellcheck: 'false', autocomplete: 'off' });
  input.addEventListener('change', () => {
    const next = input.value.trim().toUpperCase();
    if (next !== '') choose(next);
  });
  return h('label', { class: 'field' }, h('span', {}, 'Symbol'), input);
}
