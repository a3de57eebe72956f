//go:build linux || darwin || windows

package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// switchingChild puts a fault on, says where, and lives until its input ends.
func switchingChild() {
	s := newFaultSwitch()
	if err := s.set([]string{"noise"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.dir)
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = s.close()
}

// What a program that was killed has left in the place for temporary files goes with the next one; what belongs to one that is alive, and
// what is not ours, stays.
func TestAKilledProgramLeavesNoFaultsBehind(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	exe, err := os.Executable()
	must(t, err)
	begin := func() (dir string, c *exec.Cmd, in io.Closer) {
		c = exec.Command(exe, "child:switching")
		in, err := c.StdinPipe()
		must(t, err)
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
		line, err := bufio.NewReader(out).ReadString('\n')
		must(t, err)
		return strings.TrimSpace(line), c, in
	}
	there := func(path string) bool {
		_, err := os.Lstat(path)
		return err == nil
	}
	alive, aliveCmd, in := begin()
	dead, deadCmd, _ := begin()
	must(t, deadCmd.Process.Kill())
	_ = deadCmd.Wait() // it was killed
	if !there(filepath.Join(dead, "on")) {
		t.Fatalf("%s is not there any more: there is nothing to remove", dead)
	}
	of := func(name string) string {
		return filepath.Join(temp, strings.TrimSuffix(faultDirs, "*")+name)
	}
	must(t, os.Mkdir(of("without-a-lock"), 0o700))
	must(t, os.Mkdir(of("with-more"), 0o700))
	must(t, os.WriteFile(filepath.Join(of("with-more"), faultLock), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(of("with-more"), "letter"), nil, 0o600))
	must(t, os.WriteFile(of("a-file"), nil, 0o600))
	elsewhere := t.TempDir()
	must(t, os.WriteFile(filepath.Join(elsewhere, faultLock), nil, 0o600))
	linked := os.Symlink(elsewhere, of("a-link")) == nil // not everybody may, on Windows

	s := newFaultSwitch()
	if filepath.Dir(s.dir) != temp {
		t.Fatalf("the switch is in %s", s.dir)
	}
	must(t, s.set([]string{"ttl-gone"}))
	if there(dead) {
		t.Error("what a killed program has left is still there")
	}
	stay := []string{filepath.Join(alive, "on"), s.path(), of("without-a-lock"), filepath.Join(of("with-more"), "letter"), of("a-file"), filepath.Join(elsewhere, faultLock)}
	if linked {
		stay = append(stay, of("a-link"))
	}
	for _, path := range stay {
		if !there(path) {
			t.Errorf("%s was removed", path)
		}
	}
	sweepFaults(temp)
	if !there(s.path()) || !there(alive) {
		t.Error("what is in use was removed")
	}
	must(t, s.close())
	must(t, s.set([]string{"ttl-gone"})) // it may be used again
	must(t, s.close())
	if there(s.dir) {
		t.Error("a switch that is closed is still there")
	}
	must(t, in.Close())
	must(t, aliveCmd.Wait())
	if there(alive) {
		t.Error("a program that ended by itself has left something")
	}
}
