// Package pgserver runs PostgreSQL for tests: a server of its own in a temporary folder, on a socket, which ends with
// the process that started it, in any way.
package pgserver

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Variable names an address with which tests may do anything; Needed, if set, makes a missing server a failure.
const (
	Variable = "EPSILOSCOPE_POSTGRES"
	Needed   = "EPSILOSCOPE_NEEDS_POSTGRES"
)

// Server is a PostgreSQL server.
type Server struct {
	Folder string // of its data and its socket; "" if it was not started here
	admin  string // the address of a superuser
	bin    string
	input  io.Closer // ends the server when it is closed
	limit  int       // the largest size of a file, in blocks of 512 bytes; 0 for none
}

// binFolder returns the folder of initdb and postgres: that on the path, or the newest of Debian's.
func binFolder() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "postgres")); err == nil {
			return filepath.Dir(path)
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

var shared = sync.OnceValues(func() (*Server, error) {
	if address := os.Getenv(Variable); address != "" {
		return &Server{admin: address}, nil
	}
	return start()
})

// SharedServer returns the server that all tests of this process share: that of EPSILOSCOPE_POSTGRES, or one that is
// started at the first call. A test is skipped if there is none.
func SharedServer(t testing.TB) *Server {
	t.Helper()
	s, err := shared()
	return orSkip(t, s, err)
}

// Start returns a server for one test, with settings such as "max_prepared_transactions=2".
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := start(settings...)
	orSkip(t, s, err)
	t.Cleanup(func() { s.input.Close() })
	return s
}

var errNone = errors.New("there is no PostgreSQL here")

func orSkip(t testing.TB, s *Server, err error) *Server {
	t.Helper()
	switch {
	case errors.Is(err, errNone) && os.Getenv(Needed) == "":
		t.Skipf("skipped: %v. Install it (apt-get install postgresql), so that initdb and postgres are on the path or in /usr/lib/postgresql/*/bin, or name a superuser's address in %s", err, Variable)
	case err != nil:
		t.Fatal(err)
	}
	return s
}

// start makes a database cluster and starts its server. A shell holds the server and ends it when its input ends, which
// it does when this process does.
func start(settings ...string) (*Server, error) { return startWithFileLimit(0, settings...) }

func startWithFileLimit(limit int, settings ...string) (*Server, error) {
	bin := binFolder()
	if bin == "" || runtime.GOOS == "windows" {
		return nil, errNone
	}
	if _, err := exec.LookPath("sh"); err != nil {
		return nil, fmt.Errorf("%w that could be started, because there is no sh on the path", errNone)
	}
	folder, err := os.MkdirTemp("", "eps-pg")
	if err != nil {
		return nil, err
	}
	s := &Server{Folder: folder, bin: bin, limit: limit}
	if err := giveAway(folder); err != nil {
		return nil, err
	}
	if out, err := s.Run("initdb", "--no-sync", "--no-instructions", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--wal-segsize=1", "-D", s.Data()).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return s, s.launch(settings)
}

// StartWithFileLimit returns a server that cannot write files of more bytes than limit, as if its disk were full.
func StartWithFileLimit(t testing.TB, limit int) *Server {
	t.Helper()
	s, err := startWithFileLimit(limit / 512)
	orSkip(t, s, err)
	t.Cleanup(func() { s.input.Close() })
	return s
}

// launch writes the settings and starts the server of a cluster that is there.
func (s *Server) launch(settings []string) error {
	conf, err := os.OpenFile(filepath.Join(s.Data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	fmt.Fprintf(conf, "\nlisten_addresses = ''\nunix_socket_directories = '%s'\nshared_buffers = 16MB\nmax_connections = 120\nautovacuum = off\nlog_statement = 'none'\n", s.Folder)
	if text, err := os.ReadFile(filepath.Join(s.Data(), "PG_VERSION")); err == nil && runtime.GOOS == "linux" {
		// After a crash, all files are synced at once instead of a thousand one by one.
		if n, _ := strconv.Atoi(strings.TrimSpace(string(text))); n >= 14 {
			fmt.Fprintln(conf, "recovery_init_sync_method = syncfs")
		}
	}
	for _, line := range settings {
		fmt.Fprintln(conf, line)
	}
	if err := conf.Close(); err != nil {
		return err
	}
	cmd := s.Run("sh", "-c", `trap : TERM INT HUP; [ "$4" = 0 ] || ulimit -f "$4"; "$1/pg_ctl" -D "$2" -w -l "$2/log" start >/dev/null && echo ready; read line; "$1/pg_ctl" -D "$2" -m immediate -w stop >/dev/null 2>&1; rm -rf "$3"`,
		"sh", s.bin, s.Data(), s.Folder, strconv.Itoa(s.limit))
	input, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if word, _ := bufio.NewReader(output).ReadString('\n'); word != "ready\n" {
		log, _ := os.ReadFile(filepath.Join(s.Data(), "log"))
		input.Close()
		return fmt.Errorf("the server did not start:\n%s", log)
	}
	s.input = input
	s.admin = s.Address("postgres", "postgres")
	return nil
}

// Data returns the folder of the server's data.
func (s *Server) Data() string { return filepath.Join(s.Folder, "data") }

// Run returns a command of PostgreSQL, or another one, as the user that owns the server.
func (s *Server) Run(name string, args ...string) *exec.Cmd {
	if path := filepath.Join(s.bin, name); s.bin != "" {
		if _, err := os.Stat(path); err == nil {
			name = path
		}
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = os.TempDir()
	if s.Folder != "" {
		cmd.Dir = s.Folder
	}
	becomeOwner(cmd)
	return cmd
}

// Address returns the address of a user and a database, without a schema.
func (s *Server) Address(user, database string) string {
	if s.Folder == "" {
		u, err := url.Parse(s.admin)
		if err != nil {
			return s.admin
		}
		u.User, u.Path = url.User(user), "/"+database
		return u.String()
	}
	return "postgres:///" + database + "?host=" + url.QueryEscape(s.Folder) + "&user=" + user
}

// Admin returns the address of a superuser.
func (s *Server) Admin() string { return s.admin }

// Database returns the database of the superuser's address.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	c, err := pgconn.ParseConfig(s.admin)
	if err != nil {
		t.Fatal(err)
	}
	return c.Database
}

// Exec runs SQL as the superuser and returns the last row as text.
func (s *Server) Exec(t testing.TB, sql string) []string {
	t.Helper()
	row, err := ExecAs(s.admin, sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return row
}

// ExecAs runs SQL at an address and returns the last row of the last statement as text.
func ExecAs(address, sql string) (row []string, err error) {
	ctx := context.Background()
	address, _, _ = strings.Cut(address, "#")
	c, err := pgconn.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	defer c.Close(ctx)
	results, err := c.Exec(ctx, sql).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		for _, values := range r.Rows {
			row = row[:0]
			for _, v := range values {
				row = append(row, string(v))
			}
		}
	}
	return row, nil
}

// Kill ends the server at once, as if the machine lost its power but for the disk's own memory.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Data(), "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Restart starts a server that was killed or stopped.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	var out []byte
	var err error
	for range 50 { // the old one's processes may not have ended yet, and the new one does not start beside them
		if out, err = s.Run("pg_ctl", "-D", s.Data(), "-w", "-l", filepath.Join(s.Data(), "log"), "start").CombinedOutput(); err == nil {
			return
		}
	}
	t.Fatalf("the server did not start again: %v\n%s", err, out)
}

// Stop shuts a server down; fast, or immediate as after a crash.
func (s *Server) Stop(t testing.TB, mode string) {
	t.Helper()
	if out, err := s.Run("pg_ctl", "-D", s.Data(), "-w", "-m", mode, "stop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Copy returns a second server that runs on a base backup of this one. With standby it follows this one, else it is a
// twin that was started from a backup.
func (s *Server) Copy(t testing.TB, standby bool, settings ...string) *Server {
	t.Helper()
	folder, err := os.MkdirTemp("", "eps-pg")
	if err == nil {
		err = giveAway(folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := &Server{Folder: folder, bin: s.bin}
	args := []string{"-D", c.Data(), "-h", s.Folder, "-U", "postgres", "--checkpoint=fast", "--no-sync"}
	if standby {
		args = append(args, "-R")
	}
	if out, err := c.Run("pg_basebackup", args...).CombinedOutput(); err != nil {
		t.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
	if err := c.launch(settings); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.input.Close() })
	return c
}

// Dial returns the network and the address at which the server listens.
func (s *Server) Dial() (network, address string) {
	c, err := pgconn.ParseConfig(s.admin)
	if err != nil {
		return "", ""
	}
	return pgconn.NetworkAddress(c.Host, c.Port)
}

// Promote ends the recovery of a standby.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	if out, err := s.Run("pg_ctl", "-D", s.Data(), "-w", "promote").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Try returns the shared server, or an error if there is none.
func Try() (*Server, error) { return shared() }
