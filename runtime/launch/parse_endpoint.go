// Parsing logical endpoints.

package launch

import (
	"go.yaml.in/yaml/v3"

	"github.com/ptxsan/ptxsan/internal/yamldoc"
)

// Endpoint is a buffer that kernels access as a unicast logical endpoint (PTX ISA, "Fabric Instructions"). An argument
// with its name is the number of the endpoint.
type Endpoint struct {
	Pos
	Name   string
	Number uint32 // from 1, in file order
	Buffer string
}

// endpoint returns the endpoint of a name, nil when there is none.
func (f *File) endpoint(name string) *Endpoint {
	for i := range f.Endpoints {
		if f.Endpoints[i].Name == name {
			return &f.Endpoints[i]
		}
	}
	return nil
}

func (r *reader) endpoints(n *yaml.Node, f *File) error {
	return r.Pairs(n, "endpoints", func(key, v *yaml.Node) error {
		if key.Value == "" || len(key.Value) > MaxNameLength {
			return r.Pos(key).Errorf("expected a name for the endpoint")
		}
		buffer, err := r.Text(v, "the buffer of the endpoint")
		f.Endpoints = append(f.Endpoints, Endpoint{r.Pos(key), key.Value, uint32(len(f.Endpoints) + 1), buffer})
		return err
	})
}

// checkEndpoints checks that endpoints are of existing buffers and have names of their own.
func (f *File) checkEndpoints() error {
	for i := range f.Endpoints {
		e := &f.Endpoints[i]
		switch {
		case f.Buffer(e.Buffer) == nil:
			return e.Errorf("endpoint %s is of the buffer %q, which is not declared; %s", e.Name,
				yamldoc.Shorten(e.Buffer), f.bufferList())
		case f.Buffer(e.Name) != nil || f.Texture(e.Name) != nil || f.TensorMap(e.Name) != nil:
			return e.Errorf("endpoint %s has the name of a buffer, texture or tensor map", e.Name)
		}
	}
	return nil
}
