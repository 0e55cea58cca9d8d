package pgserver

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Pooler starts a pooler in transaction mode before an address, with a number of connections to the server, and returns
// its own address. A client has a connection of the server from the first message of a transaction until its end, and
// another one for the next.
func Pooler(t testing.TB, address string, connections int) string {
	t.Helper()
	address, _, _ = strings.Cut(address, "#")
	free := make(chan *pgconn.HijackedConn, connections)
	for range connections {
		c, err := pgconn.Connect(context.Background(), address)
		if err != nil {
			t.Fatal(err)
		}
		server, err := c.Hijack()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { server.Conn.Close() })
		free <- server
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(client, free)
		}
	}()
	config, err := pgconn.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	return "postgres://" + config.User + "@" + listener.Addr().String() + "/" + config.Database + "?sslmode=disable"
}

// serve answers one client until it leaves.
func serve(conn net.Conn, free chan *pgconn.HijackedConn) {
	defer conn.Close()
	client := pgproto3.NewBackend(conn, conn)
	if _, err := client.ReceiveStartupMessage(); err != nil {
		return
	}
	client.Send(&pgproto3.AuthenticationOk{})
	client.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if client.Flush() != nil {
		return
	}
	for {
		message, err := client.Receive()
		if _, over := message.(*pgproto3.Terminate); err != nil || over {
			return
		}
		server := <-free
		ok := transaction(client, server, message)
		free <- server
		if !ok {
			return
		}
	}
}

// transaction passes messages on until the server is idle again. A client that leaves in the middle has its transaction
// rolled back.
func transaction(client *pgproto3.Backend, server *pgconn.HijackedConn, message pgproto3.FrontendMessage) bool {
	pass := func(m pgproto3.FrontendMessage) (status byte) {
		server.Frontend.Send(m)
		switch m.(type) {
		case *pgproto3.Query, *pgproto3.Sync:
		default:
			return 0 // its answer comes with that to the Sync
		}
		if server.Frontend.Flush() != nil {
			return 'X'
		}
		for {
			answer, err := server.Frontend.Receive()
			if err != nil {
				return 'X'
			}
			client.Send(answer)
			if ready, ok := answer.(*pgproto3.ReadyForQuery); ok {
				_ = client.Flush()
				return ready.TxStatus
			}
		}
	}
	for {
		switch status := pass(message); status {
		case 'I':
			return true
		case 'X':
			return false
		}
		var err error
		message, err = client.Receive()
		if _, over := message.(*pgproto3.Terminate); err != nil || over {
			pass(&pgproto3.Query{String: "rollback"})
			return false
		}
	}
}
