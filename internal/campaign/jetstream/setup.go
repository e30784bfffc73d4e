// Setting a campaign up on a server that may still be setting up the client's account.

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Number of attempts to set up a campaign when the server cannot store it, and the pause after each, which is also the
// time that a server has for setting up an account.
const (
	setups = 4
	settle = idle / 4
)

// setUp creates the missing streams and buckets of a campaign on the server.
//
// A server with accounts sets an account up when its first user connects: it creates the folder of the account's
// streams and removes it, to test that it can. Another client that connects at the same moment is accepted before that
// (EnableJetStream in nats-server's server/jetstream.go), and the folder is removed with the streams that this client
// has created meanwhile. The server still lists these streams, but cannot write to them. Therefore the streams of an
// account's first campaign are tested after a while, and created again when they cannot be written.
func (c *Conn) setUp(ctx context.Context, name string, ackWait time.Duration) (s *store, err error) {
	first := false
	err = patiently(ctx, func(ctx context.Context) error {
		kv, failed := c.records(ctx)
		first = c.dialed && failed == nil && kv == nil
		return failed
	})
	if err != nil {
		return nil, err
	}
	for range setups {
		err = patiently(ctx, func(ctx context.Context) (err error) {
			s, err = c.create(ctx, name, ackWait, first)
			return err
		})
		if !cannotStore(err) {
			return s, err
		}
		if first {
			failed := patiently(ctx, func(ctx context.Context) error {
				return c.eachStream(ctx, name,
					c.js.DeleteStream)
			})
			if failed != nil {
				return nil, errors.Join(err, failed)
			}
		}
		sleep(ctx, settle)
	}
	return nil, explained(err)
}

// create creates the missing streams and buckets of a campaign. The streams of an account's first campaign must pass
// the test before anything else is created.
func (c *Conn) create(ctx context.Context, name string, ackWait time.Duration, first bool) (*store, error) {
	s, err := c.createStreams(ctx, name)
	if err == nil && first {
		sleep(ctx, settle)
		err = c.eachStream(ctx, name, c.tryWriting)
	}
	if err == nil {
		s.allRecords, err = c.createRecords(ctx)
	}
	if noCopies(err) {
		return nil, &AccessError{fmt.Errorf("the campaign %s cannot be set up: the server cannot keep %d copies: %w",
			name, c.replicas, err)}
	}
	if err == nil {
		s.consumer, err = s.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: "workers", AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait, MaxAckPending: 1 << 16,
		})
	}
	if err != nil {
		return nil, fmt.Errorf("the campaign %s cannot be set up on the server: %w", name, err)
	}
	return s, nil
}

// createStreams creates the streams and buckets of a campaign.
func (c *Conn) createStreams(ctx context.Context, name string) (*store, error) {
	s := &store{c: c, name: name}
	stream := func(kind string, retention jetstream.RetentionPolicy) jetstream.StreamConfig {
		return jetstream.StreamConfig{
			Name: s.bucket(kind), Subjects: []string{s.subject(kind, "*")}, Retention: retention, Replicas: c.replicas,
			MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
			Compression: jetstream.S2Compression,
		}
	}
	var err error
	keep := func(failed error) {
		if err == nil {
			err = failed
		}
	}
	bucket := func(kv *jetstream.KeyValue, what string, ttl time.Duration) {
		made, failed := c.js.CreateOrUpdateKeyValue(ctx,
			jetstream.KeyValueConfig{Bucket: s.bucket(what), TTL: ttl, Replicas: c.replicas})
		*kv = made
		keep(failed)
	}
	var failed error
	s.tasks, failed = c.js.CreateOrUpdateStream(ctx, stream("task", jetstream.WorkQueuePolicy))
	keep(failed)
	s.results, failed = c.js.CreateOrUpdateStream(ctx, stream("result", jetstream.LimitsPolicy))
	keep(failed)
	s.files, failed = c.js.CreateOrUpdateObjectStore(ctx,
		jetstream.ObjectStoreConfig{Bucket: s.bucket("files"), Compression: true, Replicas: c.replicas})
	keep(failed)
	bucket(&s.findings, "findings", 0)
	bucket(&s.coverage, "coverage", 0)
	bucket(&s.tries, "tries", 0)
	bucket(&s.workers, "workers", workerTTL)
	return s, err
}

// tryWriting returns an error when the server cannot write an empty stream: purging starts a new file.
func (c *Conn) tryWriting(ctx context.Context, stream string) error {
	x, err := c.js.Stream(ctx, stream)
	if err != nil || x.CachedInfo().State.Msgs > 0 {
		return err
	}
	return x.Purge(ctx)
}

// eachStream calls do for all streams of a campaign, if any.
func (c *Conn) eachStream(ctx context.Context, name string, do func(ctx context.Context, stream string) error) error {
	s := &store{c: c, name: name}
	names := c.js.StreamNames(ctx)
	var errs []error
	for stream := range names.Name() {
		for _, prefix := range []string{"", "KV_", "OBJ_"} {
			if strings.HasPrefix(stream, prefix+s.bucket("")) &&
				!strings.Contains(stream[len(prefix+s.bucket("")):], "-") {
				errs = append(errs, do(ctx, stream))
			}
		}
	}
	return errors.Join(append(errs, names.Err())...)
}

// whileHealthy returns a context that ends when the server in this process cannot continue, since it would no longer
// answer.
func (c *Conn) whileHealthy(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if c.healthy == nil {
		return ctx, cancel
	}
	go func() {
		for range ticks(ctx, settle) {
			if err := c.healthy(); err != nil {
				cancel(err)
			}
		}
	}()
	return ctx, cancel
}
