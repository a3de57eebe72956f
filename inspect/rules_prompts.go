package inspect

// promptsRules are the rules of the area prompts.
func promptsRules() []*Rule { return nil }
