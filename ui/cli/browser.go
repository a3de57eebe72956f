package cli

import (
	"fmt"
	"os/exec"
	"runtime"
)

// browse opens a web page in the person's browser. It is only ever called with an http or https address that he saw whole
// and said yes to; the address is one argument of a command, never part of a shell's line.
func browse(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	c := exec.Command(name, args...)
	if err := c.Start(); err != nil {
		return fmt.Errorf("starting the browser: %w", err)
	}
	go func() { _ = c.Wait() }() // nobody waits for how a browser ends
	return nil
}
