/** The assumption of the liquidation map: how new positions divide over leverages. There is no public data of it. */
export interface LeverageShare {
  leverage: number;
  /** Share of the new positions; all shares add up to one. */
  weight: number;
  /** Maintenance margin, a fraction of the position. */
  maintenance: number;
}

export const leverageShares: readonly LeverageShare[] = [
  { leverage: 5, weight: 0.1, maintenance: 0.01 },
  { leverage: 10, weight: 0.25, maintenance: 0.01 },
  { leverage: 25, weight: 0.3, maintenance: 0.007 },
  { leverage: 50, weight: 0.2, maintenance: 0.005 },
  { leverage: 100, weight: 0.15, maintenance: 0.004 },
];
