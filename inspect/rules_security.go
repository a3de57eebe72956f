package inspect

// securityRules are the rules of the area security.
func securityRules() []*Rule { return nil }
