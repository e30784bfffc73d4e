package analysis

// Names is names, for tests.
var Names = names
