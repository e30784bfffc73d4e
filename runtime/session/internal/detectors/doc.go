// Package detectors has the race detectors of the project as users name them: a kind, with options. For each kind it
// says how its two halves are made and which facts about a program it is given beforehand.
//
// What enters is the text of --detector or a function that makes a listener; what leaves is a Detector, of which
// runtime/session makes one half for each program and run. It must not know sessions, devices and launches.
package detectors
