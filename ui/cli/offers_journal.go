package cli

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/session/wire"
	"mcploupe/ui/app"
	"mcploupe/ui/kit"
)

// Journals are opened beside live servers as replay opens them: read, and nothing else.

// Bounds of the journals that are offered without being asked for.
const (
	mostJournals = 5   // the newest
	mostLooked   = 100 // files that are looked at
)

// journal is a recorded journal as one more on the screen.
func (o *offers) journal(path string) app.Offer {
	return app.Offer{ID: "journal " + key(path), Group: inRecorded, Name: filepath.Base(path), What: path, Open: func(context.Context, app.Asker) (app.Options, error) {
		var notes bytes.Buffer
		log, _, err := openJournal(path, &notes)
		if err != nil {
			return app.Options{}, withHint(err)
		}
		return o.f.dressed(app.Options{Log: log, Title: path, Name: filepath.Base(path), Note: noted(&notes)}), nil
	}}
}

// journals are the newest ones in the directory in which the program was started, and in that of --record.
func (o *offers) journals() []app.Offer {
	dirs := []string{"."}
	if dir := filepath.Dir(o.f.record); o.f.record != "" && key(dir) != key(".") {
		dirs = append(dirs, dir)
	}
	type found struct {
		path string
		info fs.FileInfo
	}
	var all []found
	for _, dir := range dirs {
		files, err := os.ReadDir(dir)
		if err != nil {
			continue // then none of it is offered
		}
		for _, file := range files {
			if !file.Type().IsRegular() || !strings.HasSuffix(file.Name(), ".jsonl") {
				continue
			}
			if info, err := file.Info(); err == nil {
				all = append(all, found{filepath.Join(dir, file.Name()), info})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return b.info.ModTime().Compare(a.info.ModTime()) })
	var out []app.Offer
	for _, one := range all[:min(len(all), mostLooked)] {
		if len(out) == mostJournals {
			break
		}
		if !beginsAsJournal(one.path) {
			continue
		}
		offer := o.journal(one.path)
		offer.What, offer.At = kit.Size(one.info.Size())+" in "+filepath.Dir(key(one.path)), one.info.ModTime()
		out = append(out, offer)
	}
	return out
}

// beginsAsJournal tells that a file has the header of a journal.
func beginsAsJournal(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	_, err = wire.OpenJournal(file)
	return err == nil
}

// fromHome is a path in which ~ stands for the person's home directory, as shells have it.
func fromHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if dir := home(); ok && dir != "" {
		return filepath.Join(dir, rest)
	}
	return path
}
