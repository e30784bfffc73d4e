// Package full contains what ptxsan-full has and ptxsan lacks, since it links large libraries or the C library:
// campaigns, the Model Context Protocol, the manual page. It must not know the other commands.
package full

import (
	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/campaigns"
	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// Commands returns the commands that ptxsan lacks, in the order of its help.
func Commands(reports command.Reports) []*cli.Command {
	return []*cli.Command{campaigns.Campaign(reports), campaigns.Worker(), serveCommand(), manCommand()}
}
