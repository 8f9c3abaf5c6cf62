/* global require */
// The same shares; what differs is where their state lies.
require("./ours");
