require('./launch.cjs')('web');
