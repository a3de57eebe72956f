package cli

func hostileChild(args []string) {}
