package form

import "testing"

// What nobody chose yet is what is wrong, at the row where it is chosen; no guess which form was meant.
func TestAnOpenChoiceIsWhatIsWrong(t *testing.T) {
	f := form(t, `{"type":"object","anyOf":[{"title":"By id","properties":{"id":{"type":"integer"}},"required":["id"]},
		{"title":"By name","properties":{"name":{"type":"string"}},"required":["name"]}],"properties":{"verbose":{"type":"boolean"}}}`, `{"verbose":true}`)
	sees(t, f, "kind     ‹not chosen› ▾", "✖ choose one of its kinds")
	if got := f.Problem(); got != "choose one of its kinds" {
		t.Error(got)
	}
	press(t, f, "n", "right")
	sees(t, f, "‹ By id ›", "id *     ‹absent›", "✖ required")
	if got := f.Problem(); got != "id: required" {
		t.Error(got)
	}
}

// Forms without a title are called by what tells them apart, arrays by what they hold; a member may be called "".
func TestWordsOfForms(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"":{"type":"string"},
		"where":{"oneOf":[{"type":"object","properties":{"op":{"enum":["and","or"]},"args":{"type":"array"}},"required":["op","args"]},
			{"type":"object","properties":{"op":{"enum":["not"]}},"required":["op"]}]},
		"when":{"type":"array","items":{"type":"string","format":"date"}},"n":{"type":"array","items":{"type":"integer"}},
		"e":{"enum":[1,"1","x"]},"s":{"anyOf":[{"enum":["a","b"]},{"type":"null"}]}},"required":[""]}`, `{"":"","e":"1"}`)
	sees(t, f, `"" *    ‹empty›`, `op = "and", "or" | op = "not"`, "array of date strings", "array of integers", `1 | "1" | x`, `e       "1" ▾`, "a | b | null")
}

// A tuple begins with the items that it has to have.
func TestATupleBeginsWhole(t *testing.T) {
	f := form(t, `{"type":"object","properties":{
		"at":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"},{"type":"boolean"}],"minItems":2,"items":false},
		"old":{"type":"array","items":[{"type":"integer","minimum":3}],"additionalItems":{"type":"string"},"minItems":4},
		"list":{"type":"array","items":{"type":"string"},"minItems":1}}}`, `{}`)
	press(t, f, "enter")
	has(t, f, `{"at": [0,""]}`)
	on(t, f, "/old")
	press(t, f, "enter")
	on(t, f, "/list")
	press(t, f, "enter")
	has(t, f, `{"at": [0,""], "old": [3], "list": []}`)
	on(t, f, "/at")
	press(t, f, "a", "down")
	has(t, f, `{"at": [0,"", false], "old": [3], "list": []}`)
}

// An array or map that is open and empty has nothing to close: enter adds to it, and says so.
func TestEnterOnWhatIsEmptyAdds(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"list":{"type":"array","items":{"type":"string"}},"map":{"type":"object","additionalProperties":{"type":"integer"}},
		"steps":{"type":"array","items":{"oneOf":[{"title":"A","type":"object"},{"title":"B","type":"object"},{"type":"string"}]}}}}`, `{"list":[]}`)
	sees(t, f, "array of strings", "array, each one of 3 kinds")
	if words := f.enterWords(); words != "add" {
		t.Errorf("enter does %q", words)
	}
	press(t, f, "enter", "x", "esc")
	has(t, f, `{"list":["x"]}`)
	on(t, f, "/list")
	press(t, f, "enter")
	sees(t, f, "▸ 1 element")
	on(t, f, "/map")
	press(t, f, "enter", "enter", "k", "enter", "4", "esc")
	has(t, f, `{"list":["x"], "map": {"k": 4}}`)
	on(t, f, "/map")
	if words := f.enterWords(); words != "close" {
		t.Errorf("enter does %q", words)
	}
}
