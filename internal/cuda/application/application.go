// Package application starts an unmodified CUDA application with the drop-in libraries in
// place of NVIDIA's, and waits for it.
//
// It must not know what the libraries do (internal/cuda/shim) nor who serves them
// (internal/cuda/wire).
package application

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// SocketVariable is the environment variable that names the socket (wire.c).
const SocketVariable = "PTXSAN_EXEC_SOCKET"

// staticTLS makes room for variables of threads in libraries that an executable needs: in a process with an audit
// library they have what libraries that are loaded later have (glibc manual, "Dynamic Linking Tunables").
const staticTLS = "glibc.rtld.optional_static_tls=8192"

// Command is an application to start.
type Command struct {
	Args      []string // its name or path, and its arguments
	Libraries string   // the folder with the drop-in libraries
	Socket    string   // of the drop-in libraries; empty for none
	Audit     string   // library that the dynamic linker announces objects to (rtld-audit(7)); empty for none
	NoAudit   string   // file name of an audit library that the application does not inherit; empty for none
	// Variables are set as NAME=VALUE unless they are set already; PATH is always set.
	Variables []string
	// Preload lists libraries that are loaded before all others.
	Preload []string
	// Always lists variables that are set in any case.
	Always         []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Terminal       bool            // source of interrupts
	Done           <-chan struct{} // ends the application
	Ended          syscall.Signal  // set by Run: the signal that has ended the application, 0 for none
}

// Prepared is an application that was found and can run with the drop-in libraries.
type Prepared struct {
	path   string
	needed []string // drop-in libraries that its executable requires
}

// Prepare finds an application.
func Prepare(name, libraries string) (*Prepared, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, unwrapped(err))
	}
	p := &Prepared{path: path}
	f, err := elf.Open(path)
	if err != nil {
		return p, nil // a script
	}
	defer f.Close()
	list, err := f.ImportedLibraries()
	if err != nil {
		return p, nil
	}
	for _, name := range list {
		if _, err := os.Stat(filepath.Join(libraries, name)); err == nil {
			p.needed = append(p.needed, name)
		}
	}
	return p, nil
}

// unwrapped returns the cause of an error of exec.LookPath, whose text repeats the name.
func unwrapped(err error) error {
	if e := (*exec.Error)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// environment returns the environment of the application: the libraries come first on the library path, and are
// preloaded if the executable has a path of its own.
func (c *Command) environment(p *Prepared) []string {
	preload := slices.Clone(c.Preload)
	for _, name := range p.needed {
		preload = append(preload, filepath.Join(c.Libraries, name))
	}
	env := withoutAudit(os.Environ(), c.NoAudit)
	env = prepend(env, "LD_LIBRARY_PATH", []string{c.Libraries})
	env = prepend(env, "LD_PRELOAD", preload)
	if c.Audit != "" {
		env = prepend(env, "LD_AUDIT", []string{c.Audit})
		env = prepend(env, "GLIBC_TUNABLES", []string{staticTLS})
	}
	for _, v := range c.Variables {
		if name, _, _ := strings.Cut(v, "="); os.Getenv(name) == "" || name == "PATH" {
			env = append(env, v)
		}
	}
	if c.Socket != "" {
		env = append(env, SocketVariable+"="+c.Socket)
	}
	return append(env, c.Always...)
}

// withoutAudit drops the audit library of that file name.
func withoutAudit(env []string, file string) []string {
	const name = "LD_AUDIT="
	i := slices.IndexFunc(env, func(e string) bool { return strings.HasPrefix(e, name) })
	if i < 0 || file == "" {
		return env
	}
	list := strings.Split(strings.TrimPrefix(env[i], name), ":")
	list = slices.DeleteFunc(list, func(path string) bool { return filepath.Base(path) == file })
	return slices.Replace(slices.Clone(env), i, i+1, name+strings.Join(list, ":"))
}

// prepend inserts words at the front of a list in the environment.
func prepend(env []string, name string, words []string) []string {
	if len(words) == 0 {
		return env
	}
	text := strings.Join(words, ":")
	for i, e := range env {
		if old, ok := strings.CutPrefix(e, name+"="); ok {
			if old != "" {
				text += ":" + old
			}
			return slices.Replace(slices.Clone(env), i, i+1, name+"="+text)
		}
	}
	return append(env, name+"="+text)
}

// Run runs the application to its end and returns its exit code, 128 plus the number of the signal if one ended it, as
// shells do. Signals that ask this process to end are forwarded: a first interrupt only if there is no terminal, which
// sends it to both. The second interrupt ends the application, after a call of interrupted unless that is nil.
func (c *Command) Run(p *Prepared, interrupted func()) (int, error) {
	cmd := exec.Command(p.path)
	cmd.Args = c.Args
	cmd.Env = c.environment(p)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Stdin, c.Stdout, c.Stderr
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, passed...)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("%s: %w", c.Args[0], unwrapped(err))
	}
	ended := make(chan struct{})
	go c.pass(signals, cmd.Process, ended, interrupted)
	err := cmd.Wait()
	close(ended)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if status := exit.Sys().(syscall.WaitStatus); status.Signaled() {
			c.Ended = status.Signal()
			return 128 + int(c.Ended), nil
		}
		return exit.ExitCode(), nil
	}
	return 0, err
}

// pass forwards signals until the process has ended.
func (c *Command) pass(signals <-chan os.Signal, to *os.Process, ended <-chan struct{}, interrupted func()) {
	done, interrupts := c.Done, 0
	for {
		select {
		case <-ended:
			return
		case s := <-signals:
			switch {
			case s != os.Interrupt:
				_ = to.Signal(s)
			case interrupts > 0:
				interrupted()
				kill(to)
			case !c.Terminal:
				_ = to.Signal(s)
			}
			if s == os.Interrupt {
				interrupts++
			}
		case <-done:
			kill(to)
			done = nil
		}
	}
}
