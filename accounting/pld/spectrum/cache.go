package spectrum

import (
	"container/list"
	"context"
	"math"
	"sync"
)

// Cache keeps what is known of single losses: truncated, tilted, and their vectors of
// ln φ along a line. A stack of which one line has changed is evaluated from the vectors of
// the others. What is kept is a function of its key alone, so that an answer never depends
// on what was asked before. The zero value is empty and ready; it may be used by several
// goroutines.
type Cache struct {
	mu    sync.Mutex
	bytes int
	items map[key]*list.Element
	order list.List // the last used first

	computed int64
}

// cacheBytes bounds a cache: as much as the spectra of one profile take that share most of their values.
const cacheBytes = 48 << 20

// key identifies a value: the loss, what is known of it, and with which numbers.
type key struct {
	loss string
	what byte
	of   [7]uint64
}

// keyOf returns the key of what is known of a loss with some numbers. It has their bits, which are compared and hashed
// all at once.
func keyOf(loss string, what byte, numbers ...float64) key {
	k := key{loss: loss, what: what}
	for i, x := range numbers {
		k.of[i] = math.Float64bits(x)
	}
	return k
}

const (
	keyTruncated = iota
	keyParted
	keyTilted
	keyBlock
)

type item struct {
	key   key
	value any
	bytes int
}

// getOrCompute returns the value of a key, made if there is none. Two goroutines may make it at once; the
// values are equal. What was made under a context that has ended is not kept.
func getOrCompute[V any](ctx context.Context, c *Cache, k key, make func() (V, int)) V {
	c.mu.Lock()
	if e, ok := c.items[k]; ok {
		c.order.MoveToFront(e)
		value := e.Value.(*item).value.(V)
		c.mu.Unlock()
		return value
	}
	c.mu.Unlock()
	value, bytes := make()
	if ctx.Err() != nil {
		return value
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.items[k]; ok {
		return value
	}
	bytes += 256 + len(k.loss)
	if bytes > cacheBytes/4 { // it would drive out all else
		return value
	}
	if c.items == nil {
		c.items = map[key]*list.Element{}
	}
	c.items[k] = c.order.PushFront(&item{key: k, value: value})
	c.grow(k, bytes)
	return value
}

// grow counts more bytes for a value that is kept, and drops the values that were used least recently if the cache
// has become too large. The caller holds the lock.
func (c *Cache) grow(k key, bytes int) {
	e, ok := c.items[k]
	if !ok { // it was dropped before
		return
	}
	e.Value.(*item).bytes += bytes
	for c.bytes += bytes; c.bytes > cacheBytes; {
		old := c.order.Remove(c.order.Back()).(*item)
		delete(c.items, old.key)
		c.bytes -= old.bytes
	}
}

// Bytes returns about how much memory the cache holds.
func (c *Cache) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// count notes that n values of φ were computed, and what is kept of them under k.
func (c *Cache) count(n int, k key, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.computed += int64(n)
	c.grow(k, bytes)
}

// Count returns how many values of φ were computed so far, rather than found.
func (c *Cache) Count() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.computed
}
