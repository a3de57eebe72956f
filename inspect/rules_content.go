package inspect

// contentRules are the rules of the area content.
func contentRules() []*Rule { return nil }
