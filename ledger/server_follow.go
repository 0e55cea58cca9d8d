package ledger

import (
	"context"
	"time"

	"epsiloscope/ledger/postgres"
)

// Follow sends whenever the ledger may have changed, until ctx ends: a file is watched, a server is asked once a
// second.
func (f *Stored) Follow(ctx context.Context, watch func(ctx context.Context,
	path string) <-chan struct{}) <-chan struct{} {
	if s, ok := f.store.(*ServerStore); ok {
		return s.HeadChanges(ctx)
	}
	return watch(ctx, f.Path)
}

// HeadChanges sends whenever the last line of the ledger on the server is another one, once a second at most, and if
// the server cannot be reached any more, until ctx ends.
func (s *ServerStore) HeadChanges(ctx context.Context) <-chan struct{} {
	changes := make(chan struct{}, 1)
	go func() {
		var conn *postgres.Conn
		seen, failed := "", false
		for {
			head, err := s.poll(ctx, &conn)
			if err != nil && !failed || err == nil && (failed || head != seen) {
				select {
				case changes <- struct{}{}:
				default: // one is waiting to be seen
				}
			}
			seen, failed = head, err != nil
			select {
			case <-ctx.Done():
				if conn != nil {
					conn.Close()
				}
				return
			case <-time.After(time.Second):
			}
		}
	}()
	return changes
}

func (s *ServerStore) poll(ctx context.Context, conn **postgres.Conn) (head string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if *conn == nil {
		if *conn, err = s.Address.Connect(ctx); err != nil {
			*conn = nil
			return "", err
		}
	}
	h, err := (*conn).Head(ctx)
	if err != nil {
		(*conn).Close()
		*conn = nil
	}
	return h.Hash, err
}
