/* global require */
// All shares as one set of the dynamic classes.
require("./shares").declareSet(require("pulumi-frontdoor"));
