package ldetector_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/passes/ldetector"
	"github.com/ptxsan/ptxsan/passes/passtest"
)

func TestGolden(t *testing.T) { passtest.Golden(t, ldetector.Pass) }
