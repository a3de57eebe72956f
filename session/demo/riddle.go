package demo

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// mostRiddle is the largest number that stands for a fault.
const mostRiddle = 9999

// riddle is the fault that a number stands for in the address of a world, where its name would tell the answer. The same
// number is the same fault for everybody. It is one that shows over HTTP to whoever lists, reads and calls.
func riddle(word string) (f Fault, ok bool) {
	n, err := strconv.ParseUint(word, 10, 64)
	if err != nil || n < 1 || n > mostRiddle || word[0] == '0' {
		return Fault{}, false
	}
	all := slices.DeleteFunc(Faults(), func(f Fault) bool { return f.Transport == "stdio" || !plainly(f.Try) })
	return all[rand.New(rand.NewPCG(n, 0)).IntN(len(all))], true
}

// plainly tells whether one ordinary command lets a fault show.
func plainly(try string) bool {
	words := strings.Fields(try)
	return len(words) > 0 && slices.Contains([]string{"list", "call", "read", "prompt"}, words[0]) &&
		!strings.Contains(try, " --") && !strings.ContainsAny(try, ",;") && !strings.Contains(try, "without")
}
