// Replaces the package "debug" in the bundles. It looks for "supports-color", which we do not ship: in an
// installation Node would search the folders above the program for it, and some of them are not an administrator's.
// Its output (the variable DEBUG) is not for the host's log either.
'use strict';
const silent = Object.assign(() => {}, { enabled: false, extend: () => silent });
module.exports = () => silent;
