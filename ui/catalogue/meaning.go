package catalogue

import (
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// meaning asks what the member of the definition under the cursor means.
func (c *Call) meaning() kit.Intent {
	def := map[book.Kind]string{book.Tools: "Tool", book.Resources: "Resource", book.Templates: "ResourceTemplate", book.Prompts: "Prompt"}[c.kind]
	v := c.st.schema
	return kit.ExplainField{Doc: v.Node().Document(), Def: def, Path: v.Path()}
}
