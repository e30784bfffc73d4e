// Connections to servers.

package jetstream

import (
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Access says how to reach a server and be let in. The URL may have a user and a password, or a
// token.
type Access struct {
	URL      string // one, or several of a cluster separated by commas
	Creds    string // file of credentials, "" for none
	CA       string // file of certificates of the server's authority
	Cert     string // file of the client's certificate, with Key
	Key      string
	Replicas int // copies that a cluster keeps of what is stored, 0 for one
}

// Conn is a connection to a server with JetStream.
type Conn struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	replicas int
}

// Dial connects to a server.
func Dial(a Access) (*Conn, error) {
	var options []nats.Option
	if a.Creds != "" {
		options = append(options, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		options = append(options, nats.ClientCert(a.Cert, a.Key))
	}
	c, err := connect(a.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("no connection to %s: %w", redacted(a.URL), err)
	}
	c.replicas = max(1, a.Replicas)
	return c, nil
}

// maxPending is how many messages may be on their way to the server.
const maxPending = 1 << 10

func connect(url string, options ...nats.Option) (*Conn, error) {
	options = append(options, nats.Name("ptxsan"), nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond), nats.Timeout(5*time.Second))
	nc, err := nats.Connect(url, options...)
	if err != nil {
		return nil, err
	}
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(maxPending))
	if err != nil {
		nc.Close()
		return nil, err
	}
	return &Conn{nc, js, 1}, nil
}

// Close ends the connection when acknowledgements have gone out.
func (c *Conn) Close() {
	_ = c.nc.FlushTimeout(idle) // a task that is not acknowledged is run once more
	c.nc.Close()
}
