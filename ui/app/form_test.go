package app

import "testing"

const orderTool = `
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":272000,"cacheScope":"public",` + mine + `,"tools":[
  {"name":"order","inputSchema":{"type":"object","required":["pay"],"properties":{
    "note":{"type":["string","null"]},"due":{"type":"string","format":"date"},
    "serial":{"type":"integer","maximum":18446744073709551615},
    "items":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}}}},
    "pay":{"oneOf":[{"title":"Card","type":"object","properties":{"method":{"const":"card"},"number":{"type":"string","minLength":4}},"required":["method","number"]},
                    {"title":"Invoice","type":"object","properties":{"method":{"const":"invoice"},"address":{"type":"string"}},"required":["method"]}]}}}}]}}
`

// From the tool to what is sent, with the keys of the form, at both sizes.
func TestAFormIsFilledInAndSent(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+orderTool, func(s *story) {
			s.press("enter")
			s.fits()
			s.sees("note", "pay *", "✖ required", "serial")
			s.press("esc", "ctrl+s") // refused, and shown where
			s.sees("ctrl+x sends it anyway", "▸ pay *", "Card | Invoice")
			s.press("enter")
			s.sees("▸ Card", "Invoice")
			s.press("enter", "down", "down", "down", "enter")
			s.typed("42")
			s.sees("✖ want at least 4 characters, got 2")
			s.typed("42")
			s.press("esc", "ctrl+s")
			s.asked(`call order {"pay": {"method":"card","number":"4242"}}`)
			// The JSON is the same text; what is undone in one view is there in the other.
			s.press("u", "ctrl+t")
			s.sees(`"number":""`)
			s.press("ctrl+t", "U", "ctrl+t")
			s.sees(`"number":"4242"`)
			s.fits()
		})
	}
}

func TestNullEmptyAndElementsByKeys(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+orderTool, func(s *story) {
			s.press("enter", "esc", "N")
			s.sees("null")
			s.press("down", "down", "enter")
			s.typed("12345678901234567890")
			s.press("esc", "down", "a", "a", "K", "ctrl+x")
			s.asked(`call order {"note": null, "serial": 12345678901234567890, "items": [{}, {}]}`)
		})
	}
}

// The JSON editor: names and values at the cursor, search, problems with their words, and the cursor where the form had it.
func TestTheJSONIsEdited(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+orderTool, func(s *story) {
			s.press("enter", "esc", "ctrl+t")
			s.sees(`✖ the member "pay" is missing`)
			s.press("enter")
			s.sees("▸ pay", "required", "│ note", "serial")
			s.typed(`"pa`)
			s.press("tab")
			s.sees(`"pay":`)
			s.typed(`{"m`)
			s.sees("▸ method")
			s.press("enter")
			s.fits()
			s.typed(`,"numb`)
			s.press("tab")
			s.typed(`1234"}`)
			s.sees("✔ fits the schema")
			s.press("ctrl+s")
			s.asked("call order {\n  \"pay\": {\"method\": \"card\",\"number\": \"1234\"}\n}")
			s.press("ctrl+f")
			s.typed("METHOD")
			s.sees("find METHOD", "not found")
			s.press("esc", "ctrl+l", "ctrl+t")
			s.sees("▸ pay *", "1234")
			s.press("down", "down", "down", "ctrl+t")
			s.sees("4:16")
			s.fits()
		})
	}
}
