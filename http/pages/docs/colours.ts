/** JSON with a colour for each kind of token. */
import { h } from '../app/dom.ts';

/** Strings, with the colon behind names; numbers; words. */
const token =
  /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\b(?:true|false|null)\b/g;

function kindOf(text: string, string: string | undefined, colon: string | undefined): string {
  if (string !== undefined) return colon === undefined ? 'string' : 'name-of';
  return /^[tfn]/.test(text) ? 'word' : 'number';
}

/** The text in parts; text that is no JSON stays as it is. */
export function coloured(text: string): (Node | string)[] {
  if (!/^\s*[[{]/.test(text)) return [text];
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole = '', string, colon] = match;
    const shown = string ?? whole;
    parts.push(text.slice(end, match.index));
    parts.push(h('span', { class: `json-${kindOf(whole, string, colon)}` }, shown));
    end = match.index + shown.length;
  }
  parts.push(text.slice(end));
  return parts;
}
