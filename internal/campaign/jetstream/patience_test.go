// Tests of the interpretation of a server's errors.

package jetstream

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// TestNotStored: a message that a server does not store is one that it has only when it says so. One whose stream is
// being closed is sent again.
func TestNotStored(t *testing.T) {
	for _, c := range []struct {
		reason        error
		refused, away bool
	}{
		{server.ErrMaxMsgsPerSubject, true, false},
		{server.ErrStoreClosed, false, true},
		{server.ErrMsgTooLarge, false, false},
	} {
		err := &jetstream.APIError{Code: 503, ErrorCode: codeNotStored, Description: c.reason.Error()}
		if refused(err) != c.refused || isAway(err) != c.away {
			t.Errorf("%v: refused %t, away %t", err, refused(err), isAway(err))
		}
	}
}
