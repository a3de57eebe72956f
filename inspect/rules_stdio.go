package inspect

// stdioRules are the rules of the area stdio.
func stdioRules() []*Rule { return nil }
