/** Fees of Uniswap v3 pools, hundredths of a basis point. */
export const feeTiers = [100, 500, 3000, 10_000] as const;
export type FeeTier = (typeof feeTiers)[number];
