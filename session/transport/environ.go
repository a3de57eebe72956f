package transport

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Variable is one entry of a child's environment. Value may be a secret.
type Variable struct {
	Name, Value string
	Given       bool   // from StdioOptions.Env
	Was         string // Given: the inherited value that it replaces
	Replaces    bool   // Given: there is an inherited value
}

// Environ is the environment that a child started with o gets, sorted by name: ours, with o.Env over it.
func Environ(o StdioOptions) []Variable { return environ(o, os.Environ(), runtime.GOOS == "windows") }

func environ(o StdioOptions, inherited []string, foldCase bool) []Variable {
	key := func(name string) string {
		if foldCase {
			return strings.ToUpper(name)
		}
		return name
	}
	vars := map[string]Variable{}
	if !o.CleanEnv {
		for _, kv := range inherited {
			if name, value, ok := cutVariable(kv); ok {
				vars[key(name)] = Variable{Name: name, Value: value}
			}
		}
	}
	for _, kv := range o.Env {
		name, value, ok := cutVariable(kv)
		if !ok {
			continue
		}
		was, replaces := vars[key(name)]
		if was.Given {
			vars[key(name)] = Variable{Name: name, Value: value, Given: true, Was: was.Was, Replaces: was.Replaces}
			continue
		}
		vars[key(name)] = Variable{Name: name, Value: value, Given: true, Was: was.Value, Replaces: replaces}
	}
	list := make([]Variable, 0, len(vars))
	for _, v := range vars {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// cutVariable splits K=V. Windows has names that begin with "=" (the current directory of a drive).
func cutVariable(kv string) (name, value string, ok bool) {
	i := strings.IndexByte(kv, '=')
	if i == 0 {
		if j := strings.IndexByte(kv[1:], '='); j >= 0 {
			return kv[:j+1], kv[j+2:], true
		}
		return "", "", false
	}
	if i < 0 {
		return "", "", false
	}
	return kv[:i], kv[i+1:], true
}

func lookup(vars []Variable, name string) string {
	value, _ := lookupGiven(vars, name)
	return value
}

// lookupGiven is lookup that tells an empty variable from none.
func lookupGiven(vars []Variable, name string) (value string, given bool) {
	for _, v := range vars {
		if v.Name == name || runtime.GOOS == "windows" && strings.EqualFold(v.Name, name) {
			return v.Value, true
		}
	}
	return "", false
}

// expandHome replaces a leading "~" or "~/" by the home directory.
func expandHome(path string) string {
	if path != "~" && !strings.HasPrefix(path, "~/") && !(runtime.GOOS == "windows" && strings.HasPrefix(path, `~\`)) {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, path[1:])
}
