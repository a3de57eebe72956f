package cli

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Servers from npm are checked on a machine that has them: MCPLOUPE_NPM is a directory in which was run
//
//	npm install @modelcontextprotocol/server @modelcontextprotocol/node zod @modelcontextprotocol/server-filesystem @modelcontextprotocol/server-memory
func npmRoot(t *testing.T) string {
	t.Helper()
	root := os.Getenv("MCPLOUPE_NPM")
	if root == "" {
		t.Skip("MCPLOUPE_NPM names no directory with servers from npm")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	return root
}

// checkPeer checks a server; every finding at must or should has a row in docs/servers.md.
func checkPeer(t *testing.T, name, section string, calls []string, words ...string) []jsonLine {
	t.Helper()
	judged := judgedFindings(t, section)
	args := []string{"check", "--probe", "--json"}
	for _, c := range calls {
		args = append(args, "--call", c)
	}
	r := program(t, append(args, words...)...)
	lines, summary := contract(t, r.out)
	found := grave(lines)
	for _, key := range slices.Sorted(maps.Keys(found)) {
		if _, ok := judged[key]; !ok {
			_, rule, _ := strings.Cut(key, " ")
			t.Errorf("%s: %s ×%d is not judged in docs/servers.md: %s", name, key, found[key], describeFinding(lines, rule))
		}
	}
	if r.code != min(summary.Count.Must, 1) || summary.Exchanges < 10 {
		t.Errorf("%s: check: exit %d after %d exchanges\n%s", name, r.code, summary.Exchanges, r.err)
	}
	return lines
}

func TestTypeScriptSDKServer(t *testing.T) {
	root := npmRoot(t)
	source, err := os.ReadFile("testdata/npm/server.mjs")
	if err != nil {
		t.Fatal(err)
	}
	// A module finds its packages beside itself.
	file, err := os.CreateTemp(root, "mcploupe-*.mjs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file.Name()) })
	if _, err := file.Write(source); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	port, address := freePort(t)
	c := exec.Command("node", file.Name(), port)
	waitForPort(t, c, port)
	for name, words := range map[string][]string{"stdio": {"--", "node", file.Name()}, "HTTP": {address}} {
		for _, era := range []string{"modern", "legacy"} {
			run := func(args ...string) result { return program(t, append(append(args, "--era", era), words...)...) }
			if r := run("call", "add", "--arg", "a=2", "--arg", "b=40"); r.code != 0 || !strings.Contains(r.out, "42") {
				t.Errorf("%s %s: call: %s", name, era, r)
			}
			if r := run("read", "shed://readme"); r.code != 0 || !strings.Contains(r.out, "hello") {
				t.Errorf("%s %s: read: %s", name, era, r)
			}
			if r := run("prompt", "greet", "--arg", "who=Ada"); r.code != 0 || !strings.Contains(r.out, "Greet Ada") {
				t.Errorf("%s %s: prompt: %s", name, era, r)
			}
			answers := filepath.Join(t.TempDir(), "answers.json")
			if err := os.WriteFile(answers, []byte(`{"name":{"action":"accept","content":{"name":"Grace"}}}`), 0o600); err != nil {
				t.Fatal(err)
			}
			if r := run("call", "ask", "--answers", answers); era == "modern" && (r.code != 0 || !strings.Contains(r.out, "Hello Grace")) {
				t.Errorf("%s %s: an answered question: %s", name, era, r)
			}
			checkPeer(t, name+" "+era, "The official TypeScript SDK", []string{`add={"a":1,"b":2}`, `add={"a":"x"}`, "fail={}", "ask={}"}, append([]string{"--era", era}, words...)...)
		}
	}
}

func TestFilesystemServer(t *testing.T) {
	root, dir := npmRoot(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hi\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(root, "node_modules/.bin/mcp-server-filesystem")
	checkPeer(t, "stdio", "@modelcontextprotocol/server-filesystem",
		[]string{`list_directory={"path":"` + dir + `"}`, `read_text_file={"path":"` + dir + `/a.txt"}`, "read_text_file={}", "list_allowed_directories={}"}, "--", bin, dir)
}

func TestMemoryServer(t *testing.T) {
	root := npmRoot(t)
	t.Setenv("MEMORY_FILE_PATH", filepath.Join(t.TempDir(), "memory.json"))
	bin := filepath.Join(root, "node_modules/.bin/mcp-server-memory")
	checkPeer(t, "stdio", "@modelcontextprotocol/server-memory", []string{"read_graph={}", `search_nodes={"query":"x"}`, "search_nodes={}"}, "--", bin)
}
