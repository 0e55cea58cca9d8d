package pld

import "sync"

// games keeps the last few pairs that are dear to make: a stack is asked for its parts
// again and again.
var games pairCache

const mostGames = 48

type pairCache struct {
	mu    sync.Mutex
	pairs map[string]Pair
}

// get is the pair with this key. One that was given up on the way has no losses, and is not kept.
func (c *pairCache) get(key string, make func() Pair) Pair {
	c.mu.Lock()
	p, known := c.pairs[key]
	c.mu.Unlock()
	if known {
		return p
	}
	if p = make(); p.Remove == nil {
		return p
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pairs) >= mostGames || c.pairs == nil {
		c.pairs = map[string]Pair{}
	}
	c.pairs[key] = p
	return p
}
