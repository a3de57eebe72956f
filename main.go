// Command mcploupe is a loupe for MCP: it connects to a Model Context Protocol server and shows what
// every response is, which kind of error it is, how long it stays fresh, and where it breaks the specification.
package main

import (
	"os"

	"mcploupe/ui/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
