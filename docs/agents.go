// Package docs contains pages that commands print: the page for agents, and those about the causes of races. It must
// not know reports, detectors and commands.
package docs

import _ "embed"

// Agents is the page, as Markdown with the header of a skill file.
//
//go:embed agents.md
var Agents string
