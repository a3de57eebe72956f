//go:build unix

package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// The children of these tests are this test binary itself, told by a variable what to be.
const childVariable = "MCPLOUPE_TRANSPORT_CHILD"

func TestMain(m *testing.M) {
	if role := os.Getenv(childVariable); role != "" {
		os.Exit(child(role))
	}
	os.Exit(m.Run())
}

// child plays a role and returns its exit code. Beside others, roles read TEXT (what to write to
// stdout) and WATCH (an address to connect to, so that the test learns of the end of the process).
func child(role string) int {
	if addr := os.Getenv("WATCH"); addr != "" {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			return 99
		}
		defer c.Close()
		fmt.Fprintln(c, role)
	}
	switch role {
	case "echo": // answers every line with what it read
		in := bufio.NewReader(os.Stdin)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return 0
			}
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n", strings.TrimSpace(line))
		}
	case "text": // writes TEXT and waits for the end of stdin
		_, _ = os.Stdout.WriteString(os.Getenv("TEXT"))
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "big": // one line of 8 MiB
		fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%q}\n", strings.Repeat("A", 8<<20))
	case "crash":
		for i := range 30 {
			fmt.Fprintf(os.Stderr, "line %d\r\n", i)
		}
		fmt.Fprint(os.Stderr, "FATAL: API_KEY is not set")
		return 3
	case "shot":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "about": // tells what it was given
		cwd, _ := os.Getwd()
		out, _ := json.Marshal(map[string]any{"args": os.Args, "cwd": cwd, "env": os.Environ()})
		fmt.Printf("%s\n", out)
	case "stubborn": // ends neither with stdin nor by SIGTERM, and has a child of the same kind
		signal.Ignore(syscall.SIGTERM)
		grandchild("deaf")
		fmt.Println("ready")
		select {}
	case "deaf":
		signal.Ignore(syscall.SIGTERM)
		select {}
	case "polite": // ends by SIGTERM only
		fmt.Println("ready")
		select {}
	case "parent": // ends at once and leaves a child with its pipes behind
		grandchild("deaf")
		fmt.Println("gone")
		return 5
	case "mute": // closes stdout and lives on
		fmt.Println("bye")
		_ = os.Stdout.Close()
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "prompt": // asks on both streams without ending the line
		fmt.Fprint(os.Stderr, "Password: ")
		fmt.Print(one)
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "reader": // reads nothing before TEXT has come over WATCH's connection; it never does
		select {}
	case "killed": // starts a server as we do, and is killed
		c, err := StartStdio(context.Background(), StdioOptions{Argv: []string{os.Args[0]}, Env: []string{childVariable + "=polite"}}, newTap())
		if err != nil {
			return 98
		}
		_ = c
		fmt.Println("started")
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return 0
}

func grandchild(role string) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+role)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
	}
}
