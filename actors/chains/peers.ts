/** Which endpoints of a chain are behind the others. */

/** The height that an endpoint stated. */
export interface StatedHeight {
  block: number;
  /** Unix ms to which it belongs: the middle between request and answer. */
  at: number;
}

/**
 * The heights that lag by `maxLag` blocks or more behind the median of the others. Each height is first
 * extrapolated to the time of the newest by `blockTime` (ms): a fast chain makes several blocks between two answers. The
 * median, the lower one of two, so that neither one endpoint that is far ahead nor one far behind decides about the
 * rest. A single height never lags.
 */
export function laggards<S extends StatedHeight>(
  heights: readonly S[],
  { blockTime, maxLag }: { blockTime: number; maxLag: number },
): Set<S> {
  const now = Math.max(...heights.map(({ at }) => at));
  const all = heights.map((stated) => {
    const { block, at } = stated;
    return { stated, height: block + (now - at) / blockTime };
  });
  const behind = all.filter((own) => {
    const others = all.filter((one) => one !== own).sort((a, b) => a.height - b.height);
    const median = others[Math.floor((others.length - 1) / 2)];
    return median !== undefined && median.height - own.height >= maxLag;
  });
  return new Set(behind.map(({ stated }) => stated));
}
