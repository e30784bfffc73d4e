// Campaigns on servers that require a certificate, credentials or a password.

package app

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// authority issues certificates, in files of the working directory.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{t: t}
	a.cert, a.key = a.issue(name, &x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

// issue writes name.pem and name.key: a certificate of the authority, or its own.
func (a *authority) issue(name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	must := func(err error) {
		a.t.Helper()
		if err != nil {
			a.t.Fatal(err)
		}
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, by)
	must(err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	must(err)
	must(os.WriteFile(name+".pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600))
	must(os.WriteFile(name+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600))
	made, err := x509.ParseCertificate(der)
	must(err)
	return made, key
}

// natsServer starts a server and returns its address.
func natsServer(t *testing.T, o *server.Options) string {
	t.Helper()
	o.Host, o.Port, o.JetStream, o.StoreDir, o.NoSigs, o.NoLog = "127.0.0.1", server.RANDOM_PORT, true, t.TempDir(), true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s.Addr().String()
}

// campaignOn runs a campaign on a server, with a worker that authenticates in the same way. The report must be that of
// one process.
func campaignOn(t *testing.T, access ...string) {
	t.Helper()
	worker := make(chan string, 1)
	var out, errw bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	go func() {
		var text bytes.Buffer
		code := run(ctx, append([]string{"ptxsan", "worker", "--once", "--jobs", "2"}, access...), nil, &text, &text)
		worker <- fmt.Sprintf("exit code %d, %s", code, text.String())
	}()
	code := run(ctx, append(append([]string{"ptxsan", "campaign", "--format", "json=got.json"}, access...), "run", "plan.yaml"), nil, &out, &errw)
	if code != command.Findings || out.Len()+errw.Len() > 0 {
		t.Fatalf("exit code %d, %s%s", code, out.String(), errw.String())
	}
	if text := <-worker; !strings.HasPrefix(text, "exit code 0, ") {
		t.Errorf("the worker: %s", text)
	}
	if run(ctx, []string{"ptxsan", "campaign", "--local", "--format", "json=want.json", "run", "plan.yaml"}, nil, &out, &errw) != command.Findings {
		t.Fatal(errw.String())
	}
	got, want := read(t, "got.json"), read(t, "want.json")
	if got != want {
		t.Errorf("the report differs:\n%s\nwant\n%s", got, want)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refused checks that a worker and a campaign print the error in one line, with the exit code of usage errors.
func refused(t *testing.T, want string, access ...string) {
	t.Helper()
	for _, args := range [][]string{
		append(append([]string{"ptxsan", "campaign"}, access...), "run", "plan.yaml"),
		append([]string{"ptxsan", "worker"}, access...),
	} {
		var out, errw bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		code := run(ctx, args, nil, &out, &errw)
		cancel()
		text := errw.String()
		if code != command.BadUsage || out.Len() > 0 || strings.Count(text, "\n") != 1 || !strings.Contains(text, want) || strings.Contains(text, "secret") {
			t.Errorf("%q: exit code %d, message %q, want %d and a line with %q", args, code, text, command.BadUsage, want)
		}
	}
}

func campaignFiles(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	for name, text := range map[string]string{
		"plan.yaml": "kernels: [{ptx: racy.ptx}]\nschedules: 12\ntask: {schedules: 3}\n", "text": "text\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCampaignTLS: a server with a certificate, which wants one of its clients.
func TestCampaignTLS(t *testing.T) {
	campaignFiles(t)
	ours, others := newAuthority(t, "ca"), newAuthority(t, "other-ca")
	here := []net.IP{net.IPv4(127, 0, 0, 1)}
	ours.issue("server", &x509.Certificate{IPAddresses: here})
	ours.issue("elsewhere", &x509.Certificate{DNSNames: []string{"elsewhere"}})
	ours.issue("client", &x509.Certificate{})
	others.issue("stranger", &x509.Certificate{})
	config := func(name string) *server.Options {
		pair, err := tls.LoadX509KeyPair(name+".pem", name+".key")
		if err != nil {
			t.Fatal(err)
		}
		clients := x509.NewCertPool()
		clients.AddCert(ours.cert)
		return &server.Options{TLS: true, TLSVerify: true, TLSTimeout: 10, TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{pair}, ClientCAs: clients, ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12,
		}}
	}
	url := "tls://" + natsServer(t, config("server"))
	at := func(url string, more ...string) []string { return append([]string{"--nats", url}, more...) }
	client := []string{"--tls-cert", "client.pem", "--tls-key", "client.key"}
	campaignOn(t, at(url, append([]string{"--tls-ca", "ca.pem"}, client...)...)...)

	elsewhere := "tls://" + natsServer(t, config("elsewhere"))
	plain := "nats://" + natsServer(t, &server.Options{})
	for _, c := range []struct {
		want   string
		access []string
	}{
		{"its certificate is not accepted, expected one that the authority of other-ca.pem vouches for: x509", at(url, append(client, "--tls-ca", "other-ca.pem")...)},
		{"expected one that an authority that this machine knows vouches for: x509", at(url, client...)},
		{"ca.pem vouches for: x509: cannot validate certificate for 127.0.0.1", at(elsewhere, append(client, "--tls-ca", "ca.pem")...)},
		{"it does not accept the certificate of this client, or wants one: ", at(url, "--tls-ca", "ca.pem")},
		{"it does not accept the certificate of this client, or wants one: ", at(url, "--tls-ca", "ca.pem", "--tls-cert", "stranger.pem", "--tls-key", "stranger.key")},
		{"it has no TLS", at(plain, "--tls-ca", "ca.pem")},
		{"none.pem: no such file", at(url, "--tls-ca", "none.pem")},
		{"text: expected certificates in PEM, found none", at(url, "--tls-ca", "text")},
		{"the certificate of client.pem with the key of server.key: tls: private key does not match", at(url, "--tls-ca", "ca.pem", "--tls-cert", "client.pem", "--tls-key", "server.key")},
	} {
		refused(t, c.want, c.access...)
	}
}

// TestCampaignPassword: a server that wants a user and a password, in the URL.
func TestCampaignPassword(t *testing.T) {
	campaignFiles(t)
	address := natsServer(t, &server.Options{Username: "user", Password: "pass"})
	campaignOn(t, "--nats", "nats://user:pass@"+address)
	refused(t, "no connection to nats://"+address+": it does not let this client in: nats: authorization violation", "--nats", "nats://user:secret@"+address)
	refused(t, "it does not let this client in", "--nats", "nats://"+address)
	refused(t, "is no URL", "--nats", "nats://user:secret%zz@"+address)
}

// TestCampaignCredentials: a server whose operator has made accounts, and users with credentials.
func TestCampaignCredentials(t *testing.T) {
	campaignFiles(t)
	pair := func(make func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := make()
		if err != nil {
			t.Fatal(err)
		}
		public, err := k.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return k, public
	}
	encoded := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operator, operatorName := pair(nkeys.CreateOperator)
	account, accountName := pair(nkeys.CreateAccount)
	system, systemName := pair(nkeys.CreateAccount)
	stranger, _ := pair(nkeys.CreateAccount)
	oc := jwt.NewOperatorClaims(operatorName)
	oc.SystemAccount = systemName
	trusted, err := jwt.DecodeOperatorClaims(encoded(oc.Encode(operator)))
	if err != nil {
		t.Fatal(err)
	}
	resolver := &server.MemAccResolver{}
	for _, name := range []string{accountName, systemName} {
		ac := jwt.NewAccountClaims(name)
		if name == accountName {
			ac.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1}
		}
		if err := resolver.Store(name, encoded(ac.Encode(operator))); err != nil {
			t.Fatal(err)
		}
	}
	creds := func(name string, by nkeys.KeyPair, expires time.Time) {
		user, public := pair(nkeys.CreateUser)
		uc := jwt.NewUserClaims(public)
		if !expires.IsZero() {
			uc.Expires = expires.Unix()
		}
		seed, err := user.Seed()
		if err != nil {
			t.Fatal(err)
		}
		text, err := jwt.FormatUserConfig(encoded(uc.Encode(by)), seed)
		if err != nil && expires.IsZero() {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	creds("user.creds", account, time.Time{})
	creds("stranger.creds", stranger, time.Time{})
	creds("system.creds", system, time.Time{})
	url := "nats://" + natsServer(t, &server.Options{TrustedOperators: []*jwt.OperatorClaims{trusted}, AccountResolver: resolver, SystemAccount: systemName})
	campaignOn(t, "--nats", url, "--creds", "user.creds")
	refused(t, "it does not let this client in: nats: authorization violation", "--nats", url, "--creds", "stranger.creds")
	refused(t, "it does not let this client in: nats: authorization violation", "--nats", url)
	refused(t, "it does not let this client in: nats: authorization violation", "--nats", "nats://user:secret@"+filepath.Base(url))
	refused(t, "none.creds: no such file", "--nats", url, "--creds", "none.creds")
	refused(t, "text: expected credentials of a user, as nsc makes them", "--nats", url, "--creds", "text")
	refused(t, "it has no JetStream for this client", "--nats", url, "--creds", "system.creds")
}
