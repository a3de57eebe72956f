package inspect

// discoverRules are the rules of the area discover.
func discoverRules() []*Rule { return nil }
