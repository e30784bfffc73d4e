// Command ptxsan rewrites PTX, runs it on an emulated GPU and reports data races.
package main

import "github.com/ptxsan/ptxsan/cmd/internal/app"

func main() { app.Main(nil) }
