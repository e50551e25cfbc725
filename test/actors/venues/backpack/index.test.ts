import t from 'tap';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { wholeVenue } from '../suite/index.ts';

wholeVenue(t, backpack);
