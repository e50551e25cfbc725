require('./launch.cjs')('check-config');
