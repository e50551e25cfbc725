require('./launch.cjs')('replay');
