// A small server on the official TypeScript SDK, for npm_test.go: over stdio, or over HTTP when a port is given.
import http from "node:http";
import { McpServer, ResourceTemplate, acceptedContent, completable, createMcpHandler, inputRequired } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { z } from "zod";

const starting = (words) => (typed) => words.filter((w) => w.startsWith(typed));

function make() {
	const s = new McpServer(
		{ name: "shed", version: "1.0.0", title: "Tool shed" },
		{ instructions: "A tool shed for trying an inspector on.", capabilities: { logging: {} } },
	);
	const number = (text) => z.number().int().describe(text);
	s.registerTool("add", {
		title: "Add", description: "Adds two whole numbers", annotations: { readOnlyHint: true },
		inputSchema: z.object({ a: number("first"), b: number("second") }), outputSchema: z.object({ sum: z.number() }),
	}, async ({ a, b }) => ({ content: [{ type: "text", text: JSON.stringify({ sum: a + b }) }], structuredContent: { sum: a + b } }));
	s.registerTool("fail", { title: "Fail", description: "Always fails", inputSchema: z.object({}) }, async () => {
		throw new Error("the disk is full");
	});
	s.registerTool("ask", { title: "Ask", description: "Asks for a name", inputSchema: z.object({}) }, async (_, context) => {
		const given = acceptedContent(context?.mcpReq?.inputResponses, "name");
		if (given) return { content: [{ type: "text", text: "Hello " + given.name }] };
		const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
		return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: "Your name?", requestedSchema }) } });
	});
	const text = (uri, it) => ({ contents: [{ uri: uri.href, mimeType: "text/plain", text: it }] });
	s.registerResource("readme", "shed://readme", { title: "Readme", description: "What this is", mimeType: "text/plain" }, async (uri) => text(uri, "hello"));
	s.registerResource("item", new ResourceTemplate("shed://item/{id}", { list: undefined, complete: { id: starting(["1", "2", "12"]) } }),
		{ title: "Item", description: "One item", mimeType: "text/plain" }, async (uri, { id }) => text(uri, "item " + id));
	s.registerPrompt("greet", {
		title: "Greet", description: "Greets somebody",
		argsSchema: z.object({ who: completable(z.string().describe("whom"), starting(["Ada", "Alan", "Grace"])) }),
	}, ({ who }) => ({ messages: [{ role: "user", content: { type: "text", text: "Greet " + who } }] }));
	return s;
}

const port = process.argv[2];
if (port) {
	http.createServer(toNodeHandler(createMcpHandler(make))).listen(+port, "127.0.0.1", () => console.error("listening on " + port));
} else {
	serveStdio(make);
}
