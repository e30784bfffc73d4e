// Package inspect determines the properties of a module that need no execution, as values, text and JSON.
//
// It must not know sessions, devices and detectors.
package inspect
