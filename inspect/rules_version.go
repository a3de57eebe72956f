package inspect

// versionRules are the rules of the area version.
func versionRules() []*Rule { return nil }
