// The documents that answers refer to: reports, patches, mended PTX and guessed launch files, which are too long for an
// answer.

package serve

import (
	"context"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of the documents that a server keeps. The oldest go first.
const (
	mostDocuments  = 64
	mostStoreBytes = 64 << 20
)

// scheme begins the addresses of documents: ptxsan://report/0123456789abcdef.
const scheme = "ptxsan://"

// store keeps documents by address.
type store struct {
	mu    sync.Mutex
	texts map[string]string
	order []string // addresses, the oldest first
	bytes int
}

// keep stores a document of a kind, and returns its address, which its content decides.
func (s *store) keep(kind string, text []byte) string {
	address := scheme + kind + "/" + hash(text)[:16]
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.texts[address]; ok {
		return address
	}
	s.texts[address], s.order = string(text), append(s.order, address)
	s.bytes += len(text)
	for len(s.order) > 1 && (len(s.order) > mostDocuments || s.bytes > mostStoreBytes) {
		oldest := s.order[0]
		s.bytes -= len(s.texts[oldest])
		delete(s.texts, oldest)
		s.order = s.order[1:]
	}
	return address
}

// read implements mcp.ResourceHandler.
func (s *store) read(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	s.mu.Lock()
	text, ok := s.texts[r.Params.URI]
	s.mu.Unlock()
	if !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	kind := "text/plain"
	if strings.HasPrefix(r.Params.URI, scheme+"report/") {
		kind = "application/json"
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: kind, Text: text}}},
		nil
}

// offer adds the templates of the addresses to a server of the protocol.
func (s *store) offer(p *mcp.Server) {
	for _, r := range []struct{ kind, description string }{
		{"report", "the whole report of a call, as JSON: docs/report.schema.json"},
		{"patch", "a unified diff of the PTX that mends it"},
		{"ptx", "the mended PTX"},
		{"launch", "a launch file that was guessed, to start from"},
	} {
		p.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: r.kind, Description: r.description,
			URITemplate: scheme + r.kind + "/{id}",
		}, s.read)
	}
}
