package inspect

// toolsRules are the rules of the area tools.
func toolsRules() []*Rule { return nil }
