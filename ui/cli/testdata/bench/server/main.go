// Command server is a trivial MCP server over stdio, of either era: -tools N tools, and a tool call that is answered
// by -bytes N of text in lines of 80 characters.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
)

func main() {
	tools := flag.Int("tools", 1, "how many tools to list")
	size := flag.Int("bytes", 80, "how many bytes of text a call gives")
	flag.Parse()
	id := regexp.MustCompile(`"id":\s*("[^"]*"|\d+)`)
	method := regexp.MustCompile(`"method":\s*"([^"]*)"`)
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		n, m := id.FindStringSubmatch(line), method.FindStringSubmatch(line)
		if n == nil || m == nil {
			continue
		}
		const meta = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"trivial","version":"1"}},"ttlMs":0,"cacheScope":"public"`
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,`, n[1])
		switch m[1] {
		case "server/discover":
			fmt.Fprintf(out, `"result":{%s,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}`, meta)
		case "initialize":
			out.WriteString(`"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"trivial","version":"1"}}}`)
		case "tools/list":
			fmt.Fprintf(out, `"result":{%s,"tools":[`, meta)
			for i := range *tools {
				if i > 0 {
					out.WriteByte(',')
				}
				fmt.Fprintf(out, `{"name":"tool_%d","description":"Tool number %d, which says what it is told.","inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"what to say"},"times":{"type":"integer","minimum":1}},"required":["text"]}}`, i, i)
			}
			out.WriteString(`]}}`)
		case "tools/call":
			out.WriteString(`"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"trivial","version":"1"}},"content":[`)
			row := `{"type":"text","text":"` + strings.Repeat("x", 80) + `"}`
			for i := 0; i < *size; i += 80 {
				if i > 0 {
					out.WriteByte(',')
				}
				out.WriteString(row)
			}
			out.WriteString(`]}}`)
		default:
			out.WriteString(`"error":{"code":-32601,"message":"no such method"}}`)
		}
		out.WriteByte('\n')
		out.Flush()
	}
}
