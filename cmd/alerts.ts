require('./launch.cjs')('alerts');
