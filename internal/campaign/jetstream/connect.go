// Connections to servers.

package jetstream

import (
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Access is the address of a server and the client's authentication. The URL may contain a user and a password, or a
// token.
type Access struct {
	URL      string // one, or several of a cluster, separated by commas
	Creds    string // file of credentials, "" for none
	CA       string // file of the certificates of the server's authority
	Cert     string // file of the client's certificate, with Key
	Key      string
	Replicas int // number of copies of the data in a cluster, 0 for one
}

// Conn is a connection to a server with JetStream.
type Conn struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	replicas int
	dialed   bool         // the server may have other clients of the account
	healthy  func() error // returns an error if the server cannot continue; nil for an external server
}

// Dial connects to a server. The error is an *AccessError when the server rejects this client, or this client does not
// trust the server.
func Dial(a Access) (*Conn, error) {
	options, err := a.options()
	if err != nil {
		return nil, &AccessError{err}
	}
	c, err := connect(a.URL, options...)
	if err != nil {
		return nil, a.explained(err)
	}
	if err = a.checkJetStream(c); err != nil {
		c.Close()
		return nil, err
	}
	c.replicas, c.dialed = max(1, a.Replicas), true
	return c, nil
}

// maxPending is the maximum number of messages in flight to the server.
const maxPending = 1 << 10

// dialTime limits the time of a server to answer a new client.
const dialTime = 5 * time.Second

func connect(url string, options ...nats.Option) (*Conn, error) {
	options = append(options, nats.Name("ptxsan"), nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond),
		nats.Timeout(dialTime))
	nc, err := nats.Connect(url, options...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(maxPending))
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Conn{nc: nc, js: js, replicas: 1}, nil
}

// Close closes the connection after sending pending acknowledgements.
func (c *Conn) Close() {
	_ = c.nc.FlushTimeout(idle) // a task that is not acknowledged runs once more
	c.nc.Close()
}
