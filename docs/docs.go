// Package docs is the documents that the program hands out (mcploupe workshop pack). It must never know anything else.
package docs

import (
	"embed"
	"io/fs"
)

//go:embed workshop.md debug-your-server.md strangers-server.md from-2025-11-25-to-2026-07-28.md calls.md lessons.md ci.md
var pages embed.FS

// Pages are the documents for workshops, by their names: "workshop.md". They link to each other, and to some that are not
// among them.
func Pages() fs.FS { return pages }
