package inspect

// paginationRules are the rules of the area pagination.
func paginationRules() []*Rule { return nil }
