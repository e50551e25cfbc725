/** ICE's US dollar index from exchange rates. */

/** Units of a currency for one dollar; NaN where one is unknown. */
export interface PerDollar {
  eur: number;
  jpy: number;
  gbp: number;
  cad: number;
  sek: number;
  chf: number;
}

/**
 * `50.14348112 x EURUSD^-0.576 x USDJPY^0.136 x GBPUSD^-0.119 x USDCAD^0.091 x USDSEK^0.042 x USDCHF^0.036`, index
 * points; NaN where a rate is unknown. EURUSD is dollars for a euro, so its rate here is turned over. Constants:
 * https://www.ice.com/publicdocs/futures_us/ICE_Dollar_Index_FAQ.pdf
 */
export const dollarIndex = ({ eur, jpy, gbp, cad, sek, chf }: PerDollar): number =>
  50.14348112 *
  eur ** 0.576 *
  jpy ** 0.136 *
  gbp ** 0.119 *
  cad ** 0.091 *
  sek ** 0.042 *
  chf ** 0.036;
