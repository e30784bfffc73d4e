// Retries: a temporarily unavailable server is no error.

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// patience is the maximum time of a server's unavailability.
const patience = 5 * time.Minute

// away lists the errors of an unavailable server.
var away = []error{
	nats.ErrDisconnected, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrReconnectBufExceeded,
	nats.ErrConnectionReconnecting, nats.ErrStaleConnection, nats.ErrNoStreamResponse,
	jetstream.ErrNoStreamResponse, context.DeadlineExceeded,
}

func isAway(err error) bool {
	for _, e := range away {
		if errors.Is(err, e) {
			return true
		}
	}
	return hasCode(err, codeNotAvailable) || hasCode(err, codeNotLeader) || notStored(err, server.ErrStoreClosed)
}

// patiently calls do until the server answers. The operation may be executed twice.
func patiently(ctx context.Context, do func(ctx context.Context) error) error {
	for end := time.Now().Add(patience); ; {
		one, cancel := context.WithTimeout(ctx, requestTime)
		err := do(one)
		cancel()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil || !isAway(err):
			return err
		case time.Now().After(end):
			return fmt.Errorf("the server has been away for %s: %w", patience, err)
		}
		sleep(ctx, idle/4)
	}
}

// outbox holds messages in flight to the server.
type outbox struct {
	c    *Conn
	list []outboxMessage
}

// outboxMessage is one message; f is nil when it has not been sent.
type outboxMessage struct {
	m *nats.Msg
	f jetstream.PubAckFuture
}

// send sends a message without waiting for the server.
func (p *outbox) send(ctx context.Context, m *nats.Msg) error {
	if len(p.list) == maxPending {
		if err := p.wait(ctx); err != nil {
			return err
		}
	}
	f, err := p.c.js.PublishMsgAsync(m)
	if err != nil && !isAway(err) {
		return err
	}
	p.list = append(p.list, outboxMessage{m, f})
	return nil
}

// wait waits until the server has stored all messages, or rejected them as duplicates. It sends lost messages again.
func (p *outbox) wait(ctx context.Context) error {
	for _, s := range p.list {
		if err := s.stored(ctx); err == nil || refused(err) {
			continue
		} else if !isAway(err) {
			return err
		}
		err := patiently(ctx, func(ctx context.Context) error {
			_, err := p.c.js.PublishMsg(ctx, s.m)
			return err
		})
		if err != nil && !refused(err) {
			return err
		}
	}
	p.list = p.list[:0]
	return nil
}

// stored waits for the server's answer to one message.
func (s *outboxMessage) stored(ctx context.Context) error {
	if s.f == nil {
		return nats.ErrDisconnected
	}
	select {
	case <-s.f.Ok():
		return nil
	case err := <-s.f.Err():
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(requestTime):
		return nats.ErrTimeout
	}
}
