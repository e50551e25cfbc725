import type { VenueId } from '../../../../actors/venues/registry.ts';

/** The bodies of an instrument list, and the values of its rows as a text table: its first line names the columns. */
export type AssetList = readonly [
  id: VenueId,
  part: string,
  bodies: readonly unknown[],
  table: string,
];
