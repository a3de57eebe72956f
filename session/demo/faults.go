package demo

type faultSet map[string]bool

// Fault is one way to misbehave.
type Fault struct{ Name, Rule, What, Transport, Try string }

type fault struct {
	Fault
	result   func(c *call, r *object)
	failure  func(c *call, f *failure)
	envelope func(c *call, m *object)
	progress func(c *call, p *object)
	event    func(c *call, p *object)
	text     func(c *call, text []byte) []byte
}

func (c *call) faults() []fault { return nil }

// Faults lists.
func Faults() []Fault { return nil }

// Lookup finds.
func Lookup(name string) (Fault, bool) { return Fault{}, false }
