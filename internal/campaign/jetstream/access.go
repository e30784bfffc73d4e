// Authentication of clients: certificates, credentials, and explanations of their errors.

package jetstream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"
)

// AccessError is an error in a client's authentication: in the URL, certificates or credentials.
type AccessError struct{ Err error }

func (e *AccessError) Error() string { return e.Err.Error() }

// Unwrap returns the wrapped error.
func (e *AccessError) Unwrap() error { return e.Err }

// options returns the options of the client. It reads the files here, so that errors name them.
func (a *Access) options() ([]nats.Option, error) {
	var options []nats.Option
	for _, u := range strings.Split(a.URL, ",") {
		if _, err := url.Parse(strings.TrimSpace(u)); err != nil {
			return nil, fmt.Errorf("%s is no URL: %w", redacted(u), errors.Unwrap(err)) // the unwrapped error does not repeat the URL
		}
	}
	if a.Creds != "" {
		if err := checkCreds(a.Creds); err != nil {
			return nil, err
		}
		options = append(options, nats.UserCredentials(a.Creds))
	}
	if a.CA != "" {
		pem, err := os.ReadFile(a.CA)
		if err != nil {
			return nil, err
		}
		if !x509.NewCertPool().AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s: expected certificates in PEM, found none", a.CA)
		}
		options = append(options, nats.RootCAs(a.CA))
	}
	if a.Cert != "" {
		if _, err := tls.LoadX509KeyPair(a.Cert, a.Key); err != nil {
			return nil, fmt.Errorf("the certificate of %s with the key of %s: %w", a.Cert, a.Key, err)
		}
		options = append(options, nats.ClientCert(a.Cert, a.Key))
	}
	return options, nil
}

// checkCreds checks that a file holds a user's credentials: a token and the seed of a key.
func checkCreds(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if _, err = nkeys.ParseDecoratedJWT(text); err == nil {
		_, err = nkeys.ParseDecoratedUserNKey(text)
	}
	if err != nil {
		return fmt.Errorf("%s: expected credentials of a user, as nsc makes them: %w", name, err)
	}
	return nil
}

// unwelcome lists the errors of servers that reject a client.
var unwelcome = []error{
	nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired,
	nats.ErrNkeysNotSupported,
}

// explained returns a connection error for people.
func (a *Access) explained(err error) error {
	server := redacted(a.URL)
	var untrusted *tls.CertificateVerificationError
	var remote *net.OpError
	switch {
	case errors.As(err, &untrusted):
		vouches := "an authority that this machine knows"
		if a.CA != "" {
			vouches = "the authority of " + a.CA
		}
		return &AccessError{fmt.Errorf("no connection to %s: its certificate is not accepted, expected one that %s vouches for: %w", server, vouches, untrusted.Err)}
	case errors.As(err, &remote) && remote.Op == "remote error" || errors.Is(err, nats.ErrTLS):
		return &AccessError{fmt.Errorf("no connection to %s: it does not accept the certificate of this client, or wants one: %w", server, err)}
	case errors.Is(err, nats.ErrSecureConnWanted):
		return &AccessError{fmt.Errorf("no connection to %s: it has no TLS: %w", server, err)}
	}
	for _, refusal := range unwelcome {
		if errors.Is(err, refusal) {
			return &AccessError{fmt.Errorf("no connection to %s: it does not let this client in: %w", server, refusal)}
		}
	}
	return fmt.Errorf("no connection to %s: %w", server, err)
}

// checkJetStream checks that the server provides JetStream for this client. A server that does not answer may do so
// later. A server that has just accepted another client of the account may still be enabling JetStream for it.
func (a *Access) checkJetStream(c *Conn) error {
	err := accountInfo(c)
	for try := 1; try < setups && errors.Is(err, jetstream.ErrJetStreamNotEnabled); try++ {
		time.Sleep(settle)
		err = accountInfo(c)
	}
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return &AccessError{fmt.Errorf("%s: it has no JetStream for this client: %w", redacted(a.URL), err)}
	}
	return nil
}

// accountInfo requests the JetStream data of the client's account.
func accountInfo(c *Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	_, err := c.js.AccountInfo(ctx)
	return err
}

// redacted returns a list of URLs without tokens and passwords.
func redacted(urls string) string {
	list := strings.Split(urls, ",")
	for i, u := range list {
		scheme, rest, ok := strings.Cut(u, "://")
		if at := strings.LastIndexByte(rest, '@'); ok && at >= 0 {
			list[i] = scheme + "://" + rest[at+1:]
		}
	}
	return strings.Join(list, ",")
}
