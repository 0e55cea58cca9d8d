package ledger

import "time"

// Store keeps the lines of one ledger: a [FileStore] or another place that orders lines and keeps
// them. What a line means, what it costs and whether it is granted is decided in this package; a store
// knows nothing of it.
//
// Every line is one JSON object and a newline. It begins with the fields
//
//	{"v":1,"seq":N,"kind":"K","force":true,"id":"I","nonce":"X","at":"T"
//
// in this order, and ends with ,"prev":"P","hash":"H"}. seq counts from 0. force stands only in a cancellation by
// force, id only in a line about a reservation. The nonce is 32 random hexadecimal digits, made for this
// line by the process that writes it. An id consists of letters, digits, '.', '_' and '-'. The time is in UTC, to the
// second.
type Store interface {
	// Name returns what messages call the store: a path, or an address without its password.
	Name() string
	// Read starts a session that sees one state of the lines and cannot append.
	Read() (Session, error)
	// Lock starts a session in which no other process can append.
	Lock() (Session, error)
	// Create starts a session on a new store without lines, and fails if there is one of that name. If
	// [Session.Append] fails in it, [Session.Close] removes the store again.
	Create() (Session, error)
}

// Session is a store from the time it was locked, or looked at, until Close.
type Session interface {
	// Lines returns the bytes of all lines from number seq on. Only a file can end in a part of a line.
	Lines(seq int) ([]byte, error)
	// Append adds lines, all or none. They are on disk if it returns nil. The first of them follows the
	// line of hash expect, "" for none, which was the last one when Lines was called. An error says that nothing was
	// recorded, or is an [*UnsyncedError].
	Append(expect string, lines []Line) error
	// Place returns the name of this place, by which a copy of the lines elsewhere is told from them; "" if
	// it has none. Requests are granted only if the last record that names a home names this place.
	Place() (string, error)
	// Settle returns the name that this place has from now on, for a home record. A file gets a new one each time.
	Settle() (string, error)
	// CheckSeenHead refuses a ledger that lacks lines this machine has seen in it. It is called in every locked session
	// after Lines, if the ledger is in its place. Its error keeps requests from being granted, never a release that
	// was made from being recorded.
	CheckSeenHead(l *Ledger) error
	// Close ends the session and gives the lock back.
	Close() error
}

// Line is a sealed record and its bytes, the newline included.
type Line struct {
	Record
	Line []byte
}

// UnsyncedError is the error of lines that were written and may or may not be kept.
type UnsyncedError struct{ SystemError }

func (u *UnsyncedError) Unwrap() error { return &u.SystemError }

// Stored is a ledger in its store: what reads it and what writes to it.
type Stored struct {
	Path      string                // the name of the store
	Head      string                // must be in the chain before anything is granted; "" for none
	NewBlocks bool                  // a request may name blocks that were never charged
	Command   bool                  // this process runs the release that it reserves
	ID        string                // of the reservation, given by a scheduler that may ask again; "" for a random one
	Check     func(*Ledger) error   // asked before anything is granted; nil for nothing
	Progress  func(done, total int) // told from time to time how many lines were read or replayed; nil for nobody
	store     Store
	ahead     *replayed // of a ledger on a server, kept from one change to the next; nil for none
	before    *Ledger   // the ledger when this process was granted a release, if it finishes one; else nil
	now       func() time.Time
}

// NewStored returns the ledger that a store keeps.
func NewStored(s Store) *Stored { return &Stored{Path: s.Name(), store: s, now: time.Now} }

// NewFile returns the ledger in a file.
func NewFile(path string) *Stored { return NewStored(&FileStore{Path: path}) }
