package ldetector_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/ldetector"
)

func TestGolden(t *testing.T) { passtest.Golden(t, ldetector.Pass) }
