package inspect

// resourcesRules are the rules of the area resources.
func resourcesRules() []*Rule { return nil }
