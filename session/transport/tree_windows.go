package transport

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a child with everything that it started, held together by a job object. Windows ends the job
// when its last handle is closed, so also when we crash.
type tree struct {
	cmd *exec.Cmd
	job windows.Handle // 0 when there is none
}

// startTree starts the command in a job and a process group of its own. Batch files go through cmd.exe.
func startTree(cmd *exec.Cmd) (*tree, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
	if ext := strings.ToLower(filepath.Ext(cmd.Path)); ext == ".bat" || ext == ".cmd" {
		line, err := batchLine(cmd.Path, cmd.Args[1:])
		if err != nil {
			return nil, err
		}
		system, err := windows.GetSystemDirectory()
		if err != nil {
			return nil, fmt.Errorf("finding cmd.exe: %w", err)
		}
		cmd.Path, cmd.SysProcAttr.CmdLine = filepath.Join(system, "cmd.exe"), line
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t := &tree{cmd: cmd}
	// Without a job the child alone can be ended; that is no reason not to talk to it.
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return t, nil
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE}}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		var p windows.Handle
		p, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid))
		if err == nil {
			err = windows.AssignProcessToJobObject(job, p)
			_ = windows.CloseHandle(p)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return t, nil
	}
	t.job = job
	return t, nil
}

func (t *tree) await() { _ = t.cmd.Wait() }

func (t *tree) reap() {}

// terminate is ctrl+break, the nearest that Windows has to a request to end.
func (t *tree) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(t.cmd.Process.Pid))
}

func (t *tree) kill() {
	if t.job != 0 {
		_ = windows.TerminateJobObject(t.job, 1)
		return
	}
	_ = t.cmd.Process.Kill()
}

func (t *tree) release() {
	if t.job != 0 {
		_ = windows.CloseHandle(t.job)
		t.job = 0
	}
}

func ending(s *os.ProcessState) (code int, signal string) { return s.ExitCode(), "" }
