// Command ptxsan-full is ptxsan with campaigns, the Model Context Protocol, the manual page and GPUs. Command ptxsan
// runs it for those.
package main

import (
	"github.com/ptxsan/ptxsan/cmd/internal/app"
	"github.com/ptxsan/ptxsan/cmd/internal/full"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/internal/gpu/dl"
)

func main() {
	gpu.Use(dl.Loader())
	app.Main(full.Commands)
}
