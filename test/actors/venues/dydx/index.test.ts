import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { wholeVenue } from '../suite/index.ts';

wholeVenue(t, dydx);
