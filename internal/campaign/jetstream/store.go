// The data of a campaign on a server.

package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// States of a campaign.
const (
	Running = "running"
	Stopped = "stopped"
	Done    = "done"
)

// Record is the record of a campaign on a server.
type Record struct {
	Name     string            `json:"name"`
	Version  string            `json:"version"` // version of ptxsan that runs it
	State    string            `json:"state"`
	Hash     string            `json:"hash"`     // of the plan and its files
	Replicas int               `json:"replicas"` // copies in a cluster
	Begun    time.Time         `json:"begun"`
	Ended    time.Time         `json:"ended"`
	Progress campaign.Progress `json:"progress"`
}

// store is the data of one campaign on a server.
type store struct {
	c    *Conn
	name string

	tasks, results             jetstream.Stream
	files                      jetstream.ObjectStore
	findings, coverage         jetstream.KeyValue
	tries, workers, allRecords jetstream.KeyValue
	consumer                   jetstream.Consumer
}

// Times of the queue.
const (
	DefaultAckWait = 30 * time.Second // time without a sign of life after which a task is delivered again
	workerTTL      = 20 * time.Second
	requestTime    = 30 * time.Second
)

// Names of objects.
const (
	campaignObject = "campaign.json"
	reportObject   = "report.json"
	replaysObject  = "replays.yaml"
)

func (s *store) subject(kind, id string) string { return "ptxsan." + s.name + "." + kind + "." + id }

func (s *store) bucket(what string) string { return "ptxsan-" + s.name + "-" + what }

// recordsBucket is the bucket of the records of all campaigns of a server. Coordinators create it. Other clients, which
// may not know the number of copies, only look it up.
const recordsBucket = "ptxsan-campaigns"

func (c *Conn) createRecords(ctx context.Context) (jetstream.KeyValue, error) {
	return c.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: recordsBucket, Replicas: c.replicas})
}

// records returns the bucket of the records of all campaigns; nil if there has been no campaign.
func (c *Conn) records(ctx context.Context) (jetstream.KeyValue, error) {
	kv, err := c.js.KeyValue(ctx, recordsBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, nil
	}
	return kv, err
}

// open returns the data of a campaign.
func (c *Conn) open(ctx context.Context, name string) (*store, error) {
	s := &store{c: c, name: name}
	var err error
	keep := func(failed error) { err = errors.Join(err, failed) }
	bucket := func(kv *jetstream.KeyValue, what string) {
		found, failed := c.js.KeyValue(ctx, s.bucket(what))
		*kv = found
		keep(failed)
	}
	var failed error
	s.tasks, failed = c.js.Stream(ctx, s.bucket("task"))
	keep(failed)
	s.results, failed = c.js.Stream(ctx, s.bucket("result"))
	keep(failed)
	s.files, failed = c.js.ObjectStore(ctx, s.bucket("files"))
	keep(failed)
	bucket(&s.findings, "findings")
	bucket(&s.coverage, "coverage")
	bucket(&s.tries, "tries")
	bucket(&s.workers, "workers")
	s.allRecords, failed = c.js.KeyValue(ctx, recordsBucket)
	keep(failed)
	if err != nil {
		return nil, fmt.Errorf("the campaign %s is not whole on the server: %w", name, err)
	}
	s.consumer, err = s.tasks.Consumer(ctx, "workers")
	return s, err
}

// Records lists the campaigns of a server by name.
func (c *Conn) Records(ctx context.Context) (map[string]*Record, error) {
	kv, err := c.records(ctx)
	list := make(map[string]*Record)
	if err != nil || kv == nil {
		return list, err
	}
	keys, err := kv.ListKeys(ctx)
	if err != nil {
		return nil, err
	}
	for key := range keys.Keys() {
		if list[key], err = readRecord(ctx, kv, key); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// ErrNoCampaign is the error for a campaign that a server does not have.
var ErrNoCampaign = errors.New("the server has no such campaign")

// record reads the record of a campaign.
func (c *Conn) record(ctx context.Context, name string) (*Record, error) {
	kv, err := c.records(ctx)
	if err == nil && kv == nil {
		err = fmt.Errorf("%s: %w", name, ErrNoCampaign)
	}
	if err != nil {
		return nil, err
	}
	return readRecord(ctx, kv, name)
}

func readRecord(ctx context.Context, kv jetstream.KeyValue, name string) (*Record, error) {
	e, err := kv.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, fmt.Errorf("%s: %w", name, ErrNoCampaign)
	}
	if err != nil {
		return nil, err
	}
	r := &Record{}
	return r, json.Unmarshal(e.Value(), r)
}

// update changes the record with compare-and-set: change is called again after a concurrent update.
func (s *store) update(ctx context.Context, change func(*Record)) error {
	return set(ctx, s.allRecords, s.name, func(old []byte) ([]byte, error) {
		r := &Record{Name: s.name}
		if old != nil {
			if err := json.Unmarshal(old, r); err != nil {
				return nil, err
			}
		}
		change(r)
		return json.Marshal(r)
	})
}

// set replaces the value of a key by the result of change for the old value, which is nil when there is none. It
// repeats this after concurrent updates. If change returns nil, the value stays.
func set(ctx context.Context, kv jetstream.KeyValue, key string, change func(old []byte) ([]byte, error)) error {
	return patiently(ctx, func(ctx context.Context) error { return setNow(ctx, kv, key, change) })
}

func setNow(ctx context.Context, kv jetstream.KeyValue, key string, change func(old []byte) ([]byte, error)) error {
	for {
		e, err := kv.Get(ctx, key)
		if err != nil && !errors.Is(err, jetstream.ErrKeyNotFound) {
			return err
		}
		var old []byte
		if err == nil {
			old = e.Value()
		}
		value, failed := change(old)
		if failed != nil || value == nil {
			return failed
		}
		if err == nil {
			_, err = kv.Update(ctx, key, value, e.Revision())
		} else {
			_, err = kv.Create(ctx, key, value)
		}
		if !overtaken(err) {
			return err
		}
	}
}

// Error codes of the server.
const (
	codeWrongSequence = 10071 // the key was changed concurrently
	codeNotStored     = 10077 // a message was not stored; the text says why
	codeResources     = 10023 // no space left
	codeStore         = 10047 // the storage limit is exceeded
	codeCreate        = 10049 // a stream cannot be created or stored
	codeUpdate        = 10069 // a stream cannot be changed
	codeGeneral       = 10051 // a stream cannot be purged
	codeConsumer      = 10012 // a consumer cannot be created
	codeNoPeers       = 10005 // the cluster has too few servers for the copies
	codeNoCluster     = 10074 // there is no cluster
	codeNotAvailable  = 10008 // the cluster is electing a leader
	codeNotLeader     = 10009
)

// overtaken reports whether a change failed because of a concurrent one.
func overtaken(err error) bool {
	return hasCode(err, codeWrongSequence) || errors.Is(err, jetstream.ErrKeyExists)
}

// refused reports whether a message was rejected because the stream already has one with its subject.
func refused(err error) bool { return notStored(err, server.ErrMaxMsgsPerSubject) }

// notStored reports whether a message was not stored for the given reason.
func notStored(err, reason error) bool {
	var e jetstream.JetStreamError
	return hasCode(err, codeNotStored) && errors.As(err, &e) && e.APIError().Description == reason.Error()
}

// explained adds the possible causes to an error of a server without free space.
func explained(err error) error {
	switch {
	case hasCode(err, codeResources) || hasCode(err, codeStore):
		return fmt.Errorf("%w: is its disk full?", err)
	case cannotStore(err):
		return fmt.Errorf("%w: can the server write to its folder, is its disk full, or are too many of its files open?", err)
	}
	return err
}

// cannotStore reports whether the server failed to write the files of a stream or of its consumer.
func cannotStore(err error) bool {
	return hasCode(err, codeCreate) || hasCode(err, codeUpdate) || hasCode(err, codeGeneral) ||
		hasCode(err, codeConsumer)
}

// noCopies reports whether the server cannot keep as many copies.
func noCopies(err error) bool { return hasCode(err, codeNoPeers) || hasCode(err, codeNoCluster) }

func hasCode(err error, code jetstream.ErrorCode) bool {
	var e jetstream.JetStreamError
	return errors.As(err, &e) && e.APIError() != nil && e.APIError().ErrorCode == code
}

// put stores an object.
func (s *store) put(ctx context.Context, name string, data []byte) error {
	return patiently(ctx, func(ctx context.Context) error {
		_, err := s.files.PutBytes(ctx, name, data)
		return err
	})
}

// blob implements campaign.Blobs.
func (s *store) blob(ctx context.Context, hash string) ([]byte, error) {
	var data []byte
	err := patiently(ctx, func(ctx context.Context) (err error) {
		data, err = s.files.GetBytes(ctx, hash)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("a file of the campaign cannot be read from the server: %w", err)
	}
	return data, nil
}

// Results longer than largest are stored as objects, which messages name.
const (
	largest      = 512 << 10
	objectHeader = "Ptxsan-Object"
)

// resultMessage returns a result as a message.
func (s *store) resultMessage(ctx context.Context, id string, data []byte) (*nats.Msg, error) {
	m := nats.NewMsg(s.subject("result", id))
	if m.Data = data; len(data) > largest {
		name := "result-" + id
		if err := s.put(ctx, name, data); err != nil {
			return nil, err
		}
		m.Data = nil
		m.Header.Set(objectHeader, name)
	}
	return m, nil
}

// readResult returns the result in a message.
func (s *store) readResult(ctx context.Context, m jetstream.Msg) (*campaign.Result, error) {
	data := m.Data()
	if name := m.Headers().Get(objectHeader); name != "" {
		var err error
		if data, err = s.blob(ctx, name); err != nil {
			return nil, err
		}
	}
	return campaign.DecodeResult(data)
}
