package inspect

// schemaRules are the rules of the area schema.
func schemaRules() []*Rule { return nil }
