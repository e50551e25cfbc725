/**
 * What the reader has entered. It survives a reload and ends with the tab: a key that stayed on the disk would be there for
 * every later page of this address, which on 127.0.0.1 may be another program's.
 */

/** @import { Setting } from './types.ts' */

const changes = new EventTarget();

/**
 * @param {Setting} name
 * @returns {string} Empty where nothing was entered.
 */
export const setting = (name) => sessionStorage.getItem(name) ?? '';

/**
 * @param {Setting} name
 * @param {string} value
 */
export function change(name, value) {
  sessionStorage.setItem(name, value);
  changes.dispatchEvent(new Event('change'));
}

/** @param {() => void} listener */
export const onChange = (listener) => changes.addEventListener('change', listener);
