// The coordinator: it fills the queue of tasks and collects results.

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Engine runs the tasks of one campaign on a server's workers. It implements campaign.Engine.
type Engine struct {
	*store
	Campaign *campaign.Campaign

	have     map[string]bool // tasks that had a result when the coordinator began
	results  jetstream.MessagesContext
	waiting  map[string]jetstream.Msg // results of later tasks than the next one
	mu       sync.Mutex
	progress campaign.Progress
}

// Errors of starting and ending a campaign.
var (
	// ErrExists says that the server has a campaign of the name.
	ErrExists = errors.New("the server has a campaign of this name")
	// ErrVersion says that another version of ptxsan has started the campaign.
	ErrVersion = errors.New("the two may find different things: use the same version everywhere")
	// ErrNoReport says that a campaign has not ended.
	ErrNoReport = errors.New("the campaign has no report yet: it runs, or was interrupted and can be resumed")
	// ErrStopped says that the campaign was stopped by a user.
	ErrStopped = errors.New("the campaign was stopped")
)

// Begin stores a campaign on the server: its record and its files.
func (c *Conn) Begin(ctx context.Context, camp *campaign.Campaign, blobs campaign.Blobs, version string,
	ackWait time.Duration,
) (*Engine, error) {
	text, err := camp.Encode()
	if err != nil {
		return nil, err
	}
	name := camp.Plan.Name
	err = patiently(ctx, func(ctx context.Context) error {
		r, failed := c.record(ctx, name)
		if failed == nil {
			return fmt.Errorf("%s: %w (%s)", name, ErrExists, r.State)
		}
		return failed
	})
	if !errors.Is(err, ErrNoCampaign) {
		return nil, err
	}
	healthy, cancel := c.whileHealthy(ctx)
	defer cancel(nil)
	s, err := c.setUp(healthy, name, ackWait)
	if err != nil {
		return nil, err
	}
	if err = s.upload(healthy, camp, blobs, text); err != nil {
		return nil, err
	}
	err = s.update(healthy, func(r *Record) {
		*r = Record{
			Name: name, Version: version, State: Running, Hash: campaign.Hash(text), Replicas: c.replicas,
			Begun: time.Now(),
		}
	})
	if err != nil {
		return nil, err
	}
	return c.engine(ctx, s, camp)
}

// upload stores the campaign and the files of its kernels, each file once.
func (s *store) upload(ctx context.Context, camp *campaign.Campaign, blobs campaign.Blobs, text []byte) error {
	sent := make(map[string]bool)
	for _, x := range camp.Subjects {
		for _, hash := range x.Blobs() {
			if sent[hash] {
				continue
			}
			sent[hash] = true
			data, err := blobs(ctx, hash)
			if err == nil {
				err = s.put(ctx, hash, data)
			}
			if err != nil {
				return err
			}
		}
	}
	return s.put(ctx, campaignObject, text)
}

// Resume continues a campaign that was stopped, or whose coordinator is gone. Tasks that were set aside get three more
// attempts.
func (c *Conn) Resume(ctx context.Context, name, version string, ackWait time.Duration) (*Engine, error) {
	r, err := c.record(ctx, name)
	if err != nil {
		return nil, err
	}
	if err = sameVersion(r, version, "this coordinator"); err != nil {
		return nil, err
	}
	c.replicas = max(c.replicas, r.Replicas)
	healthy, cancel := c.whileHealthy(ctx)
	defer cancel(nil)
	s, err := c.setUp(healthy, name, ackWait)
	if err != nil {
		return nil, err
	}
	text, err := s.blob(healthy, campaignObject)
	if err != nil {
		return nil, err
	}
	camp, err := campaign.Decode(text)
	if err != nil {
		return nil, err
	}
	if err = s.update(healthy, func(r *Record) { r.State = Running }); err != nil {
		return nil, err
	}
	return c.engine(ctx, s, camp)
}

// sameVersion returns an error if another version of ptxsan has started the campaign.
func sameVersion(r *Record, version, who string) error {
	if r.Version == version {
		return nil
	}
	return fmt.Errorf("campaign %s was begun by %s, and %s is %s: %w", r.Name, r.Version, who, version, ErrVersion)
}

// engine returns an engine that reads results, beginning with the existing ones.
func (c *Conn) engine(ctx context.Context, s *store, camp *campaign.Campaign) (e *Engine, err error) {
	err = patiently(ctx, func(ctx context.Context) error {
		e = &Engine{store: s, Campaign: camp, have: make(map[string]bool), waiting: make(map[string]jetstream.Msg)}
		return e.read(ctx)
	})
	return e, err
}

// heartbeat is the interval at which the server says that there are no further results. After two missed heartbeats,
// the client switches to another server of the cluster.
const heartbeat = 3 * time.Second

// read lists the existing results, and starts reading all results.
func (e *Engine) read(ctx context.Context) error {
	info, err := e.store.results.Info(ctx, jetstream.WithSubjectFilter(">"))
	if err != nil {
		return err
	}
	for subject := range info.State.Subjects {
		e.have[subject[strings.LastIndexByte(subject, '.')+1:]] = true
	}
	if err = e.retry(ctx); err != nil {
		return err
	}
	consumer, err := e.store.results.OrderedConsumer(ctx,
		jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
	if err != nil {
		return err
	}
	e.results, err = consumer.Messages(jetstream.PullMaxMessages(256), jetstream.PullHeartbeat(heartbeat))
	return err
}

// retry deletes the results of tasks that were set aside.
func (e *Engine) retry(ctx context.Context) error {
	keys, err := e.tries.ListKeys(ctx)
	if err != nil {
		return err
	}
	for id := range keys.Keys() {
		err = e.tries.Delete(ctx, id)
		if msg, failed := e.store.results.GetLastMsgForSubject(ctx, e.subject("result", id)); failed == nil {
			if r, wrong := campaign.DecodeResult(msg.Data); wrong == nil && r.Failed != "" {
				err = errors.Join(err, e.store.results.DeleteMsg(ctx, msg.Sequence))
				delete(e.have, id)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Do implements campaign.Engine.
func (e *Engine) Do(ctx context.Context, tasks []*campaign.Task,
	took func(*campaign.Task, *campaign.Result) error,
) error {
	if err := e.publish(ctx, tasks); err != nil {
		if ctx.Err() != nil { // workers may have finished before the server's answers arrive
			return errors.Join(context.Cause(ctx), e.rest(ctx, tasks, took))
		}
		return fmt.Errorf("tasks cannot be given to the server: %w", explained(err))
	}
	for i, t := range tasks {
		r, err := e.result(ctx, t.ID)
		if err != nil && ctx.Err() != nil {
			return errors.Join(context.Cause(ctx), e.rest(ctx, tasks[i:], took))
		}
		if err != nil {
			return err
		}
		if err = took(t, r); err != nil {
			return err
		}
	}
	return nil
}

// publish adds tasks without a result to the queue. The server rejects those that it already contains.
func (e *Engine) publish(ctx context.Context, tasks []*campaign.Task) error {
	p := &outbox{c: e.c}
	for _, t := range tasks {
		if e.have[t.ID] {
			continue
		}
		data, err := t.Encode()
		if err != nil {
			return err
		}
		if err = p.send(ctx, &nats.Msg{Subject: e.subject("task", t.ID), Data: data}); err != nil {
			return err
		}
	}
	return p.wait(ctx)
}

// Report stores the progress of the campaign for other clients. Most of its calls do nothing, since it is called often.
func (e *Engine) Report(p *campaign.Progress) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.progress = *p
}

// Watch stores the progress periodically. It cancels the context that it returns when the campaign is stopped by a user
// or a check of the server fails.
func (e *Engine) Watch(ctx context.Context, every time.Duration,
	check func() error,
) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		for range ticks(ctx, every) {
			if err := check(); err != nil {
				cancel(err)
				return
			}
			state := ""
			failed := e.update(ctx, func(r *Record) {
				e.mu.Lock()
				defer e.mu.Unlock()
				r.Progress, state = e.progress, r.State
			})
			if failed == nil && state == Stopped {
				cancel(ErrStopped)
			}
		}
	}()
	return ctx, cancel
}

// End stores the outcome of the campaign, and its state.
func (e *Engine) End(ctx context.Context, out *campaign.Outcome, state string) error {
	e.results.Stop()
	var b strings.Builder
	if err := out.Report.WriteJSON(&b); err != nil {
		return err
	}
	replays, err := campaign.EncodeReplays(out.Replays)
	if err != nil {
		return err
	}
	if err = e.put(ctx, replaysObject, replays); err != nil {
		return err
	}
	if err = e.put(ctx, reportObject, []byte(b.String())); err != nil {
		return err
	}
	return e.update(ctx, func(r *Record) { r.State, r.Progress, r.Ended = state, out.Progress, time.Now() })
}

// Dismiss waits a few seconds for the workers to notice the end of the campaign, so that its server can stop.
func (e *Engine) Dismiss(ctx context.Context) {
	for range 5 * time.Second / (idle / 4) {
		if list, err := values[WorkerRecord](ctx, e.workers); err != nil || len(list) == 0 {
			return
		}
		sleep(ctx, idle/4)
	}
}

// Stop makes the coordinator and the workers of a campaign stop.
func (c *Conn) Stop(ctx context.Context, name string) error {
	s, err := c.open(ctx, name)
	if err != nil {
		return err
	}
	if _, err = readRecord(ctx, s.allRecords, name); err != nil {
		return err
	}
	return s.update(ctx, func(r *Record) {
		if r.State == Running {
			r.State = Stopped
		}
	})
}

// Remove deletes all data of a campaign on a server, if any.
func (c *Conn) Remove(ctx context.Context, name string) error {
	failed := c.eachStream(ctx, name, c.js.DeleteStream)
	kv, err := c.records(ctx)
	if kv != nil {
		err = kv.Delete(ctx, name)
	}
	return errors.Join(failed, err)
}

// SavedReport returns the report of a campaign that has ended or was stopped, and its replays.
func (c *Conn) SavedReport(ctx context.Context, name string) (*report.Report, []byte, error) {
	s, err := c.open(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	text, err := s.files.GetBytes(ctx, reportObject)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, nil, fmt.Errorf("%s: %w", name, ErrNoReport)
	}
	if err != nil {
		return nil, nil, err
	}
	rep, err := report.Read("the report of campaign "+name, text)
	if err != nil {
		return nil, nil, err
	}
	replays, err := s.files.GetBytes(ctx, replaysObject)
	return rep, replays, err
}
