import t from 'tap';
import { lighter } from '../../../../actors/venues/lighter/index.ts';
import { wholeVenue } from '../suite/index.ts';

wholeVenue(t, lighter);
