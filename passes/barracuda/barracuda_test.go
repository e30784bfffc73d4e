package barracuda_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/passes/barracuda"
	"github.com/ptxsan/ptxsan/passes/passtest"
)

func TestGolden(t *testing.T) { passtest.Golden(t, barracuda.Pass) }
