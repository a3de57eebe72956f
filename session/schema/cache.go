package schema

import (
	"crypto/sha256"
	"sync"

	"mcploupe/session/jsondoc"
)

// Cache compiles each schema once. A tool's schema is needed at every keystroke in its form, at every
// call and by several rules; compiling takes a hundred times as long as validating. The key is the
// schema's text, so that the same schema of another tool, or of the next tools/list, is found again.
// Errors are kept too. It is safe for use by many goroutines, and one schema is compiled by one of them.
type Cache struct {
	mu    sync.Mutex
	max   int
	known map[[sha256.Size]byte]*compilation
	order [][sha256.Size]byte // oldest first
}

type compilation struct {
	once   sync.Once
	schema *Schema
	err    error
}

// NewCache is a cache that keeps up to max schemas; the oldest is dropped for a new one.
func NewCache(max int) *Cache {
	return &Cache{max: max, known: map[[sha256.Size]byte]*compilation{}}
}

// Compile is the package's Compile, done once for each text.
func (c *Cache) Compile(v jsondoc.Value) (*Schema, error) {
	key := sha256.Sum256(v.Raw())
	c.mu.Lock()
	e := c.known[key]
	if e == nil {
		if len(c.order) >= c.max && c.max > 0 {
			delete(c.known, c.order[0])
			c.order = c.order[1:]
		}
		e = &compilation{}
		c.known[key] = e
		c.order = append(c.order, key)
	}
	c.mu.Unlock()
	e.once.Do(func() { e.schema, e.err = Compile(v) })
	return e.schema, e.err
}

// Len is the number of schemas kept.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known)
}
