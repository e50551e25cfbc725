require('./launch.cjs')('token');
