package inspect

// jsonrpcRules are the rules of the area jsonrpc.
func jsonrpcRules() []*Rule { return nil }
