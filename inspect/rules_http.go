package inspect

// httpRules are the rules of the area http.
func httpRules() []*Rule { return nil }
