/* global require */
// All shares as one set of the plugin's classes.
require("./shares").declareSet(require("pulumi-frontdoor/plugin"));
