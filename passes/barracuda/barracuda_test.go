package barracuda_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/barracuda"
)

func TestGolden(t *testing.T) { passtest.Golden(t, barracuda.Pass) }
