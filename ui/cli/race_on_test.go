//go:build race

package cli

// raced tells that the race detector runs: stories about size and speed say nothing then, and take long.
const raced = true
