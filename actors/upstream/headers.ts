/** The constant request headers of an API: which are allowed, and how their values stay out of messages. */
import type { Api } from './request.ts';

/** Headers that the client or HTTP itself sets for every exchange. */
const reserved: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A token of RFC 9110, 5.6.2, in lower case: header names are compared as they are written here. */
const nameForm = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;
/** Visible ASCII with blanks inside. A line break would begin another header. */
const valueForm = /^[!-~]([ -~]*[!-~])?$/;
/** Shorter words are no credentials, and may occur in any message. */
const shortestSecret = 8;

/** Throws TypeError for a name or a value that may not be sent; the error never quotes a value. */
export function checkHeaders(headers: Api['headers'] = {}): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!nameForm.test(name)) {
      throw new TypeError('the name of a header of an API must be a token in lower case');
    }
    if (reserved.has(name)) throw new TypeError(`header ${name} is not an API's to set`);
    if (!valueForm.test(value)) {
      throw new TypeError(`header ${name} must be visible ASCII, without blanks around it`);
    }
  }
}

/**
 * The message with stars for the values and for every word of them: an upstream may quote the key that it refuses,
 * without the `Bearer` in front of it.
 */
export function withoutSecrets(message: string, headers: Api['headers'] = {}): string {
  return Object.values(headers)
    .flatMap((value) => [value, ...value.split(/[ ,;="]+/)])
    .filter((word) => word.length >= shortestSecret)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, '***'), message);
}
