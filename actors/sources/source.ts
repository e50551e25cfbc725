/** One upstream: whoever holds its lease runs its supervisor, whose children poll its feeds. */
import type { HttpClient } from '../upstream/client.ts';
import type { Venue } from '../venues/venue.ts';
import type { SourceContext } from './context.ts';
import { hold, type Tenure } from './holding.ts';
import { Term } from './term.ts';

/** Offers to run a venue: its feeds are polled for as long as this process holds its lease. */
export const runSource = (venue: Venue, client: HttpClient, context: SourceContext): Tenure =>
  hold(venue.id, context, (at) => new Term(venue, client, { ...context, ...at }));
