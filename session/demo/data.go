package demo

import (
	_ "embed"
	"encoding/base64"
	"strings"

	"golang.org/x/tools/txtar"

	"mcploupe/session/jsondoc"
)

//go:embed scripts/tools.txtar
var toolsScript []byte

//go:embed scripts/resources.txtar
var resourcesScript []byte

//go:embed scripts/prompts.txtar
var promptsScript []byte

// The picture behind the barograph resource never changes, so that its size can be announced in
// resources/list; the icon is a lighthouse of 16 by 16 pixels.
var (
	//go:embed scripts/barograph.png
	chartPNG []byte
	//go:embed scripts/icon.png
	iconPNG []byte
)

// tool is a tool's definition as tools/list gives it, and the schema of its arguments.
type tool struct {
	name    string
	def     *object
	input   jsondoc.Value
	headers []mirrored
}

// resource is a listed resource or a template with what resources/read needs to know of it.
type resource struct {
	name, uri, mime string
	def             *object
	ttl             int64 // milliseconds
	scope           string
	text            string // "" for what is made when it is read
}

// catalogue is everything that the lists list, in the order of the scripts.
type catalogue struct {
	tools     []tool
	resources []resource
	templates []resource
	prompts   []*object
}

func readCatalogue() *catalogue {
	c := &catalogue{}
	icon := base64.StdEncoding.EncodeToString(iconPNG)
	for _, f := range txtar.Parse(toolsScript).Files {
		text := []byte(strings.ReplaceAll(string(f.Data), "${icon}", icon))
		root := jsondoc.Parse(text).Root()
		c.tools = append(c.tools, tool{
			name:    f.Name,
			def:     treeOf(root).(*object),
			input:   root.Get("inputSchema"),
			headers: mirroredIn(root.Get("inputSchema").Get("properties"), nil),
		})
	}
	texts := map[string]string{}
	for _, f := range txtar.Parse(resourcesScript).Files {
		kind, name, _ := strings.Cut(f.Name, "/")
		if kind == "text" {
			texts[name] = string(f.Data)
			continue
		}
		def, hints, _ := strings.Cut(string(f.Data), "\n")
		r := resource{def: treeOf(jsondoc.Parse([]byte(def)).Root()).(*object)}
		r.name, r.mime = r.def.text("name"), r.def.text("mimeType")
		h := jsondoc.Parse([]byte(hints)).Root()
		r.ttl, _ = h.Get("ttlMs").Int()
		r.scope = h.Get("cacheScope").Text()
		if kind == "template" {
			r.uri = r.def.text("uriTemplate")
			c.templates = append(c.templates, r)
			continue
		}
		r.uri = r.def.text("uri")
		c.resources = append(c.resources, r)
	}
	for i := range c.resources {
		r := &c.resources[i]
		r.text = texts[r.name]
		switch {
		case r.text != "":
			r.def.set("size", len(r.text))
		case r.mime == "image/png":
			r.def.set("size", len(chartPNG))
		}
	}
	for _, f := range txtar.Parse(promptsScript).Files {
		c.prompts = append(c.prompts, treeOf(jsondoc.Parse(f.Data).Root()).(*object))
	}
	return c
}

func (c *catalogue) prompt(name string) *object {
	for _, p := range c.prompts {
		if p.text("name") == name {
			return p
		}
	}
	return nil
}
