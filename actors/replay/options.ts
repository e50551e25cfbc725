/** The options of a replay, as clients write them. */
import { minute } from '../../config/time.ts';
import { isRecord } from '../read.ts';
import {
  type LiveOptions,
  type NormalisedOptions,
  type RawOptions,
  ReplayError,
} from './replay.ts';

/** Unix ms of a time, cut to the minute; without a zone it is UTC. */
function timeOf(name: string, value: unknown): number {
  const text = typeof value === 'string' ? value : '';
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text) || /^\d{4}-\d\d-\d\d$/.test(text);
  const time = Date.parse(hasZone ? text : `${text.replace(' ', 'T')}Z`);
  if (Number.isNaN(time)) throw new ReplayError(`${name} must be a time such as 2026-11-29T12:00Z`);
  return Math.floor(time / minute) * minute;
}

function texts(name: string, value: unknown): string[] {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
    throw new ReplayError(`${name} must be a list of texts`);
  return value;
}

function rangeOf(value: unknown) {
  if (!isRecord(value)) throw new ReplayError('options must be a JSON object');
  const { exchange, from, to } = value;
  if (typeof exchange !== 'string') throw new ReplayError('exchange must be a text');
  return { given: value, exchange, from: timeOf('from', from), to: timeOf('to', to) };
}

function filterOf(value: unknown) {
  if (!isRecord(value) || typeof value.channel !== 'string')
    throw new ReplayError('filters must be a list of objects with a channel');
  const { channel, symbols } = value;
  return { channel, ...(symbols !== undefined && { symbols: texts('symbols', symbols) }) };
}

/** The options of `/replay`. Throws ReplayError. */
export function rawOptions(value: unknown): RawOptions & { withDisconnects: boolean } {
  const { given, ...range } = rangeOf(value);
  const { filters = [], withDisconnects = false } = given;
  if (!Array.isArray(filters)) throw new ReplayError('filters must be a list');
  return { ...range, filters: filters.map(filterOf), withDisconnects: withDisconnects === true };
}

function liveOf(value: unknown): LiveOptions {
  if (!isRecord(value)) throw new ReplayError('options must be a JSON object');
  const { exchange, symbols = [], dataTypes, withDisconnectMessages: withGaps } = value;
  if (typeof exchange !== 'string') throw new ReplayError('exchange must be a text');
  return {
    exchange,
    symbols: texts('symbols', symbols),
    dataTypes: texts('dataTypes', dataTypes),
    withDisconnectMessages: withGaps === true,
  };
}

function normalisedOf(value: unknown): NormalisedOptions {
  const { from, to } = rangeOf(value);
  return { ...liveOf(value), from, to };
}

/** The options of `/ws-stream-normalized`: one, or a list. Throws ReplayError. */
export const liveOptions = (value: unknown): LiveOptions[] =>
  (Array.isArray(value) ? value : [value]).map(liveOf);

/** The options of `/replay-normalized`: one, or a list. Throws ReplayError. */
export const normalisedOptions = (value: unknown): NormalisedOptions[] =>
  (Array.isArray(value) ? value : [value]).map(normalisedOf);
