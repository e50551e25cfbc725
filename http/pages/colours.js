/** JSON with a colour for each kind of token. */
import { element } from './dom.js';

/** Strings, with the colon behind names; numbers; words. */
const token =
  /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\b(?:true|false|null)\b/g;

/** @param {string} text @param {string | undefined} string @param {string | undefined} colon */
function kindOf(text, string, colon) {
  if (string !== undefined) return colon === undefined ? 'string' : 'name-of';
  return /^[tfn]/.test(text) ? 'word' : 'number';
}

/**
 * The text in parts; text that is no JSON stays as it is.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function coloured(text) {
  if (!/^\s*[[{]/.test(text)) return [text];
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match;
    const shown = string ?? whole;
    parts.push(text.slice(end, match.index));
    parts.push(element('span', { class: `json-${kindOf(whole, string, colon)}` }, shown));
    end = match.index + shown.length;
  }
  parts.push(text.slice(end));
  return parts;
}
