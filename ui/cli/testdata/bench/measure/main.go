//go:build unix

// Command measure runs a command and prints how long it took in nanoseconds and the most memory that it (or one of the
// processes that it waited for) held, in bytes. It is a program of its own because a child's peak begins with its parent's.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

func main() {
	c := exec.Command(os.Args[1], os.Args[2:]...)
	start := time.Now()
	err := c.Run() // without output: it goes to the null device
	took := time.Since(start)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	peak := int64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS == "linux" {
		peak <<= 10
	}
	fmt.Println(took.Nanoseconds(), peak)
}
