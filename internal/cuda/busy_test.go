package cuda

import (
	"testing"
	"time"
)

// TestBusy: time counts while one launch or several are executed, and not in between.
func TestBusy(t *testing.T) {
	const step = 20 * time.Millisecond
	var b Busy
	if b.Time() != 0 {
		t.Error("time without a launch")
	}
	one, two := b.begin(), b.begin()
	time.Sleep(step)
	one()
	if b.Time() < step {
		t.Errorf("%s during a launch", b.Time())
	}
	two()
	after := b.Time()
	time.Sleep(step)
	if b.Time() != after {
		t.Errorf("%s after the launches, %s later", after, b.Time())
	}
	b.begin()()
	if b.Time() < after || b.Time() > after+step {
		t.Errorf("%s after another launch, %s before", b.Time(), after)
	}
}
