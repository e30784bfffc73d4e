// How clients are let in: certificates, credentials, and what is wrong with them.

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

// AccessError says that the way in which a client wants to be let in is wrong: the URL, certificates or
// credentials.
type AccessError struct{ Err error }

func (e *AccessError) Error() string { return e.Err.Error() }

// Unwrap is for errors.Is.
func (e *AccessError) Unwrap() error { return e.Err }

// options are those of the client. Files are read here, so that errors name them.
func (a *Access) options() ([]nats.Option, error) {
	var options []nats.Option
	for _, u := range strings.Split(a.URL, ",") {
		if _, err := url.Parse(strings.TrimSpace(u)); err != nil {
			return nil, fmt.Errorf("%s is no URL: %w", redacted(u), errors.Unwrap(err)) // which does not repeat it
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

// unwelcome are the errors of servers that do not let a client in.
var unwelcome = []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired, nats.ErrNkeysNotSupported}

// explained is an error of connecting for people.
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

// checkJetStream checks that the server has JetStream for this client. A server that does not answer
// may do so later. One that has just let in another client of the account may not be done with giving JetStream to it.
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

// accountInfo asks for what the client's account has of JetStream.
func accountInfo(c *Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	_, err := c.js.AccountInfo(ctx)
	return err
}

// redacted is a list of URLs without their tokens and passwords.
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
