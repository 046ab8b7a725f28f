// Stands in for the package "debug" in the bundles. Express and its parts make some twenty loggers of it while they load, and
// each asks the system whether standard error is a terminal: a tenth of a second under Wine, for output that nobody turns on.
'use strict';
const silent = Object.assign(() => {}, { enabled: false, extend: () => silent });
module.exports = () => silent;
