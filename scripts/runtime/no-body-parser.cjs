// Replaces the package "body-parser" in the bundles: express loads it with half a megabyte of character tables for
// `express.json` and its other parsers, which the host does not use. Our own reader (src/http) accepts only UTF-8 and
// refuses duplicate keys.
'use strict';
module.exports = {};
