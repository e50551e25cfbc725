/** Declarations as plain values and in words, as facts written by hand state them. */
import type { UpstreamRequest } from '../../actors/upstream/request.ts';

/** Without functions, patterns as text. */
export const plain = (value: unknown): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => {
      if (inner instanceof RegExp) return String(inner);
      if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
      return inner instanceof Map || inner instanceof Set ? [...inner] : inner;
    }),
  );

/** `GET spot/books x5 /api/v3/depth?limit=50 {body} optional`. */
export function line({
  method = 'GET',
  api,
  budget = 'default',
  weight = 1,
  ...more
}: UpstreamRequest) {
  const { path, query = {}, body, optional, market } = more;
  const words = Object.entries(query).map(([key, value]) => `${key}=${value}`);
  return [
    method,
    `${api}/${budget}`,
    `x${weight}`,
    [path, words.join('&')].filter(Boolean).join('?'),
    ...(body === undefined ? [] : [JSON.stringify(body)]),
    ...[market === undefined ? '' : `of ${market}`, optional ? 'optional' : ''].filter(Boolean),
  ].join(' ');
}
