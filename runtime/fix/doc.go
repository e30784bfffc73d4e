// Package fix mends data races: it finds them, searches the repairs that package repair
// proposes for the cheapest ones that together leave no race, and verifies them by running the
// mended module under many schedules.
package fix
