/** Declarations as plain values, as facts written by hand state them. */

/** Without functions, patterns as text. */
export const plain = (value: unknown): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => {
      if (inner instanceof RegExp) return String(inner);
      if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner);
      return inner instanceof Map || inner instanceof Set ? [...inner] : inner;
    }),
  );
