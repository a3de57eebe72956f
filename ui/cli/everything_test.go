package cli

import (
	"bufio"
	"maps"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// everything is the command of npm's @modelcontextprotocol/server-everything, the official TypeScript SDK's showcase.
// It runs on a machine that has it: MCPLOUPE_EVERYTHING names its command, for example
// "npx -y @modelcontextprotocol/server-everything" or the path of its bin.
func everything(t *testing.T) []string {
	t.Helper()
	words := strings.Fields(os.Getenv("MCPLOUPE_EVERYTHING"))
	if len(words) == 0 {
		t.Skip("MCPLOUPE_EVERYTHING does not name the command of @modelcontextprotocol/server-everything")
	}
	return words
}

// overHTTP starts the server in one of its HTTP modes and gives the address, once it says that it listens.
func overHTTP(t *testing.T, words []string, mode, path string) string {
	t.Helper()
	port, address := freePort(t)
	c := exec.Command(words[0], append(words[1:], mode)...)
	c.Env = append(os.Environ(), "PORT="+port)
	waitForPort(t, c, port)
	return strings.TrimSuffix(address, "/mcp") + path
}

// freePort is a port that nobody listened on a moment ago, and an address there.
func freePort(t *testing.T) (port, address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port = strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	return port, "http://127.0.0.1:" + port + "/mcp"
}

// waitForPort starts a server that names its port on stderr once it listens. It runs until the test is over.
func waitForPort(t *testing.T, c *exec.Cmd, port string) {
	t.Helper()
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if strings.Contains(lines.Text(), port) {
			go func() {
				for lines.Scan() {
				}
			}()
			return
		}
	}
	t.Fatalf("%v did not say that it listens", c.Args)
}

func TestEverythingServer(t *testing.T) {
	command := everything(t)
	judged := judgedFindings(t, "@modelcontextprotocol/server-everything")
	stdio := append(append([]string{"--"}, command...), "stdio")
	for _, p := range []struct {
		name, kind string
		words      []string
	}{
		{"stdio", "stdio", stdio},
		{"Streamable HTTP", "http", []string{overHTTP(t, command, "streamableHttp", "/mcp")}},
		{"HTTP+SSE", "sse", []string{overHTTP(t, command, "sse", "/sse")}},
	} {
		run := func(args ...string) result { return program(t, append(args, p.words...)...) }
		if r := run("list", "tools"); r.code != 0 || !strings.Contains(r.out, "get-structured-content") || !strings.Contains(r.out, "Echoes back the input string") {
			t.Errorf("%s: list tools: %s", p.name, r)
		}
		if r := run("list", "templates"); r.code != 0 || !strings.Contains(r.out, "{resourceId}") {
			t.Errorf("%s: list templates: %s", p.name, r)
		}
		r := run("call", "get-sum", "--arg", "a=2", "--arg", "b=40", "--json")
		lines, summary := contract(t, r.out)
		call := exchangesOf(lines, "tools/call")
		if r.code != 0 || len(call) != 1 || !strings.Contains(string(call[0].Response), "42") || call[0].Transport.Kind != p.kind || summary.Era != "legacy" {
			t.Errorf("%s: call get-sum: %s", p.name, r)
		}
		if r := run("call", "get-sum", "--args", `{"a":"x"}`); r.code != 1 {
			t.Errorf("%s: wrong arguments: %s", p.name, r)
		}
		r = run("call", "trigger-long-running-operation", "--args", `{"duration":0.2,"steps":4}`, "--json")
		lines, _ = contract(t, r.out)
		if call = exchangesOf(lines, "tools/call"); r.code != 0 || len(call) != 1 || len(call[0].Notifications) == 0 {
			t.Errorf("%s: a call with progress: %s", p.name, r)
		}
		if r := run("read", "demo://resource/dynamic/text/1"); r.code != 0 || !strings.Contains(r.out, "contents") {
			t.Errorf("%s: read: %s", p.name, r)
		}
		if r := run("prompt", "args-prompt", "--arg", "city=Oslo"); r.code != 0 || !strings.Contains(r.out, "Oslo") {
			t.Errorf("%s: prompt: %s", p.name, r)
		}
		r = run("check", "--probe", "--json", "--call", `echo={"message":"hi"}`, "--call", `get-structured-content={"location":"New York"}`,
			"--call", "get-tiny-image={}", "--call", "get-resource-links={}", "--call", "toggle-simulated-logging={}", "--call", "echo={}")
		lines, summary = contract(t, r.out)
		found := grave(lines)
		for _, key := range slices.Sorted(maps.Keys(found)) {
			if _, ok := judged[key]; !ok {
				_, rule, _ := strings.Cut(key, " ")
				t.Errorf("%s: %s ×%d is not judged in docs/servers.md: %s", p.name, key, found[key], describeFinding(lines, rule))
			}
		}
		if r.code != min(summary.Count.Must, 1) || summary.Exchanges < 20 {
			t.Errorf("%s: check: exit %d after %d exchanges", p.name, r.code, summary.Exchanges)
		}
	}
}
