/**
 * The form of Binance's answers: bodies without an envelope, errors as a code and a sentence, decimals as text.
 * https://developers.binance.com/docs/binance-spot-api-docs/errors
 */
import type { NoEnvelope } from '../../../endpoints/route.ts';
import { type ErrorCode, kindOf } from '../../../wire/errors.ts';
import { names } from '../../../wire/header-names.ts';
import { type kit, s } from '../../kit.ts';

/** The exchange whose form this is. */
export const exchange = 'binance';

const [unknown, disconnected, overUsed, overloaded, unsupported, unauthorized] = [
  -1000, -1001, -1003, -1008, -1020, -2015,
];

/** The code of each error; `unknown` for the others. */
const codes: Partial<Record<ErrorCode, number>> = {
  unauthorized,
  forbidden: unauthorized,
  not_found: unsupported,
  method_not_allowed: unsupported,
  too_many_requests: overUsed,
  upstream_failed: disconnected,
  warming_up: disconnected,
  too_old: disconnected,
  store_unavailable: disconnected,
  overloaded,
};

/** The code and the sentence of a bad parameter. */
function faultOf({ message, parameter }: kit.ApiError): { code: number; msg: string } {
  if (parameter === undefined) return { code: -1130, msg: message };
  const { name, missing } = parameter;
  if (missing) {
    const msg = `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`;
    return { code: -1102, msg };
  }
  if (name === 'interval') return { code: -1120, msg: 'Invalid interval.' };
  return { code: -1130, msg: `Data sent for parameter '${name}' is not valid: ${message}.` };
}

/** An error as Binance writes it. */
function bodyOf(error: kit.ApiError): { code: number; msg: string } {
  if (error.error === 'unknown_symbol') return { code: -1121, msg: 'Invalid symbol.' };
  if (error.error === 'bad_parameter') return faultOf(error);
  return { code: codes[error.error] ?? unknown, msg: error.message };
}

const quota = /ratelimit: "default";r=(\d+)[\s\S]*;q=(\d+)/;

/** Answers in Binance's form. The weight of each request is 1. */
export const form: NoEnvelope = {
  error(error) {
    const { status } = kindOf(error);
    return {
      status: error.error === 'unknown_symbol' ? 400 : status,
      body: JSON.stringify(bodyOf(error)),
    };
  },
  errors: s.object({
    code: s.integer("Binance's code: -1121 for an unknown symbol."),
    msg: s.string('What is wrong, in words.'),
  }),
  lines(given) {
    const found = quota.exec(given);
    if (found === null) return '';
    return `\r\nx-mbx-used-weight-1m: ${Number(found[2]) - Number(found[1])}`;
  },
  keyHeader: names.binanceKey,
};

/** Digits that a number of ours is exact to. */
const exact = 12;
/** Digits after the point that any number is written with at most. */
const longest = 20;

/**
 * A number as Binance writes it: with so many digits after the point, or with those that it has. Never with an exponent:
 * `0.0000001`.
 */
export function decimal(value: number, digits?: number): string {
  if (digits !== undefined) return value.toFixed(digits);
  const short = Number(value.toPrecision(exact));
  const text = String(short);
  return text.includes('e') ? short.toFixed(longest).replace(/\.?0+$/, '') : text;
}

/** The same, null where there is no number. */
export const decimalOrNull = (value: number | null, digits?: number): string | null =>
  value === null ? null : decimal(value, digits);
