/** A colour for a line among many, seen on light and on dark ground: neighbours differ most. */
export const hueOf = (place: number): string =>
  `hsl(${Math.round(190 + place * 137.5) % 360} 62% 48%)`;
