// Package weak executes memory operations under Config.Memory PTX: values of loads that package weakmem allows, loads
// that are resolved late, barriers and fences as order, explanations of outcomes.
//
// The package must not know schedulers; state.Scheduler chooses values.
package weak
