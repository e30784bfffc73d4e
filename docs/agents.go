// Package docs contains the page for agents, which the command skill prints. It must not know commands.
package docs

import _ "embed"

// Agents is the page, as Markdown with the header of a skill file.
//
//go:embed agents.md
var Agents string
