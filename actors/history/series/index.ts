/** Every recorded series; keys of the first ones are back-filled before those of the others. */
export const allSeries: readonly Series[] = [
  price,
  takerFlow,
  accountRatio,
  openInterest,
  funding,
  optionsOpenInterest,
];
