require('./launch.cjs')('feed');
