// Stands in for the package "body-parser" in the bundles: express loads it with half a megabyte of character tables for
// `express.json` and its kin, which the host does not use. Its own reader (src/http) takes UTF-8 alone and refuses doubled keys.
'use strict';
module.exports = {};
