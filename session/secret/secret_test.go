package secret

import (
	"slices"
	"strings"
	"testing"
)

// What stands in braces with marks is secret: the tests say it by «…».
func marked(words []string) (plain []string, masked []string) {
	for _, w := range words {
		plain = append(plain, strings.NewReplacer("«", "", "»", "").Replace(w))
		for {
			before, rest, ok := strings.Cut(w, "«")
			if !ok {
				break
			}
			_, after, _ := strings.Cut(rest, "»")
			w = before + Stars + after
		}
		masked = append(masked, w)
	}
	return plain, masked
}

func TestSecretsAmongWords(t *testing.T) {
	for _, line := range []string{
		// flags with a word behind them
		"npx|some-server|--api-key|«sk-123»",
		"npx|some-server|--apiKey|«sk-123»|--port|8080",
		"server|--token|«abc»",
		"server|--auth-token|«abc»|--verbose",
		"server|--github-personal-access-token|«abc»",
		"server|--client-secret|«a b c»",
		"server|--password|«hunter2»",
		"server|-password|«hunter2»",
		"server|--db-pass|«hunter2»",
		"server|--bearer|«abc»",
		"server|--auth|«abc»",
		"server|--credentials|«abc»",
		"server|--key|«abcdef»",
		"server|--cookie|«sid=4f2a»",
		"server|--token|«/Zm9vYmFy+c2VjcmV0»",
		// flags and names with the value in the same word
		"server|--token=«abc»",
		"server|--api_key=«sk-123»",
		"server|--openai.api.key=«sk-123»",
		"java|-Dpassword=«abc»|-jar|x.jar",
		"server|--env=API_KEY=«abc»",
		"server|--api-key='«a b»'",
		"API_KEY=«abc»|server",
		"env|GITHUB_TOKEN=«abc»|MODE=fast|npx|server",
		"docker|run|-i|--rm|-e|API_TOKEN=«zzz14»|-e|MODE=fast|ghcr.io/github/github-mcp-server",
		"docker|run|-e|GITHUB_PAT=«x»|-e|OPENAI_API_KEY2=«y»|-e|TOKEN_PROD=«z»|img",
		"env|PGPASSWORD=«x»|MYSQL_PWD=«y»|PWD=/work|psql",
		"server|--set|auth.password=«x,db.name=y»",
		"server|Server=db;User Id=sa;Password=«p»;Encrypt=true",
		"server|DefaultEndpointsProtocol=https;AccountName=me;AccountKey=«abc==»",
		"server|host=db user=me password=«x» dbname=y",
		// addresses
		"mcp-remote|https://user:«pass»@host/mcp",
		"mcp-remote|https://«t0ken»@host/mcp",
		"mcp-remote|https://host/mcp?api_key=«sk-1»&lang=en",
		"mcp-remote|https://host/mcp?lang=en&access_token=«a»#top",
		"mcp-remote|https://host/mcp?apiKey=«a»&X-Amz-Signature=«b»&code=«c»&key=«d»&q=e",
		"mcp-remote|--url=https://host/mcp?token=«a»",
		"mcp-remote|https://host/login?next=«https%3A%2F%2Fu%3Apw%40other%2F»",
		"server|postgres://u:«p»@h/db",
		"server|postgresql://u:«p/w?rd»@h:5432/db?sslmode=require",
		"server|https://u:«p@ss»@h:5432/db",
		"docker|run|-e|API_KEY=«a b»|--password=«a b c»|img",
		"server|mongodb+srv://me:«x»@cluster.mongodb.net/test",
		"server|redis://:«x»@localhost:6379/0",
		"server|jdbc:mysql://h/db?user=u&password=«p»",
		"server|--connection=postgres://u:«p»@h/db",
		"server|root:«pw»@tcp(127.0.0.1:3306)/app",
		"server|--auth|https://u:«p»@host/",
		"DATABASE_URL=postgres://u:«p»@h/db|server",
		// headers
		"mcp-remote|https://h/mcp|--header|Authorization: Bearer «abc»",
		"mcp-remote|https://h/mcp|--header|Authorization:Bearer «abc»",
		"mcp-remote|https://h/mcp|-H|authorization: «abc»",
		"mcp-remote|https://h/mcp|--header|Authorization:Basic «dTpw»",
		"mcp-remote|https://h/mcp|--header|X-Api-Key: «abc»",
		"mcp-remote|https://h/mcp|--header|Ocp-Apim-Subscription-Key:«abc»",
		"mcp-remote|https://h/mcp|--header=X-Api-Key: «abc»",
		"mcp-remote|https://h/mcp|--header|Cookie: «sid=abc; x=y»",
		"server|--authorization|Bearer «abc»",
		"curl|-u|me:«pw»|https://h/",
		// words with words in them
		"sh|-c|API_TOKEN=«zz10» node server.js",
		"sh|-c|exec npx server --api-key «sk-1» --port 1",
		"sh|-c|KEY='«a b»' npx server",
		`bash|-lc|curl -H "Authorization: Bearer «abc»" https://h/x && npx server`,
		"sh|-c|curl -H Authorization:«abc» 'https://h/?a=b&token=«c»'; x",
		"sh|-c|mcp-remote https://h/?a=b&api_key=«c»",
		`npx|cli|--config|{"apiKey": "«zz20 zz21\"zz22»","units":"mm","maxTokens":100}`,
		`npx|cli|--config|{"headers":{"Authorization":"Bearer «abc»"},"url":"https://u:«p»@h/"}`,
		`npx|cli|{"passwords":["«a»","«b»"],"pin":1}`,
		// by their look
		"server|ghp_«»",
		"server|«ghp_zz9zz9zz9zz9»",
		"server|x,«sk-proj-abcdefgh1234567»",
		"server|«AKIAIOSFODNN7EXAMPLE»",
		"server|--jwt-is|«eyJhbGciOi1.eyJzdWIiOjE.c2ln»",
		"server|https://h/s/«sk-abcdefgh12345678»/mcp",
	} {
		words, want := marked(strings.Split(strings.ReplaceAll(line, "ghp_«»", "ghp_"), "|"))
		if got := Mask(words); !slices.Equal(got, want) {
			t.Errorf("%s\nis shown as %q\n       want %q", line, got, want)
		}
	}
}

func TestWhatIsNoSecret(t *testing.T) {
	for _, line := range []string{
		"npx|-y|@modelcontextprotocol/server-everything|stdio",
		"npx|mcp-task-manager-server|mcp-server-disk-usage-tools|risk-analysis-server-2024-edition",
		"llm|--max-tokens|100|--max_tokens=100|--tokens|4096|--total-tokens|5|--maxTokens=7",
		"llm|--tokenizer|x|--tokenizer=cl100k_base|--tokenize|--stop-token|</s>|--eos-token=<eos>",
		"server|--key-file|/etc/ssl/server.key|--key|/etc/ssl/server.key|--key=./server.key|--private-key|certs/server.pem",
		"server|--token-file=~/token|--token|@token.txt|--password-file|pw|--credentials|C:\\me\\creds.json|--secret|file:/run/secrets/x",
		"server|--token|$TOKEN|--token=${TOKEN}|--api-key|<your key>|--password-stdin|--header|Authorization: Bearer ${TOKEN}|--header|Authorization:${AUTH}",
		"server|--public-key|ssh-ed25519|--primary-key|id|--sort-key=name|--key-id|k1|--partition-key|pk",
		"server|--no-auth|dir|--auth|none|--auth=basic|--auth-mode|oauth|--auth-type=apikey|--require-token|start|--token|true|--allow-credentials|yes",
		"server|--token-limit|5|--token-ttl=60|--secret-name|db|--secret-manager|aws|--cookie-name|sid|--pass-env|HOME|--bypass|x|--compass|north|--monkey|see|--keyboard|us|--author|me",
		"server|PWD=/work|OLDPWD=/x|KEY_FILE=/etc/k|SECRETS_DIR=/run/secrets|MAX_TOKENS=100|NODE_ENV=production|KEYBOARD=us|AUTHOR=me",
		"server|postgres://localhost/db|postgres://user@localhost/db|https://host:8080/@scope/pkg?a=b@c|http://[::1]:80/x@y|ssh://git@github.com/x/y|git+ssh://git@github.com/x|git@github.com:org/repo.git",
		"server|https://host/?max_tokens=5&page_token=abc&q=key|https://x/?token|https://x/?token=|https://x/#token=a",
		"npx|npm:foo@1.2.3|npm:@scope/pkg@1.0|pkg@1.2.3|docker.io/me/img:tag@sha256:abc|10.0.0.1:80",
		"docker|run|-u|1000:1000|--user|node:node|img",
		"mcp-remote|https://h/|--header|Accept: application/json|--header|X-Tenant: it|--header|Access-Control-Allow-Credentials: true|--header|Idempotency-Key: 7",
		"sh|-c|cd /work && npx server --max-tokens 100 | tee log",
		`npx|cli|--config|{"maxTokens":100,"tokenizer":"x","keyFile":"/etc/k","auth":"none","token":null,"password":true}`,
		"node|/home/me/secret-project/token-server.js|C:\\token\\x.js|token|secret|password|--|key",
		"server|--basic|usage of it|basic usage",
		"", "|||", "=|=x|--=|:|://|@|//@|?|{|[|\"|'",
	} {
		words := strings.Split(line, "|")
		if got := Mask(words); !slices.Equal(got, words) {
			t.Errorf("%q\nis shown as %q", words, got)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"key": true, "Authorization": true, "X-Api-Key": true, "x-functions-key": true, "refresh_token": true, "idToken": true, "APIKey": true, "APIKEY": true,
		"SharedAccessSignature": true, "X-Amz-Security-Token": true, "clientSecret": true, "TOKEN_PROD": true, "GITHUB_PAT": true, "SESSION_COOKIE": true,
		"Access-Control-Allow-Credentials": false, "x-ratelimit-remaining-tokens": false, "anthropic-ratelimit-tokens-remaining": false, "SSH_AUTH_SOCK": false, "SECRET_KEY_BASE": true, "Idempotency-Key": false, "Sec-WebSocket-Key": false, "tokenizer": false,
		"max-tokens": false, "progressToken": false, "nextPageToken": false, "token_endpoint": false, "Surrogate-Key": false, "WWW-Authenticate": false,
		"Mcp-Session-Id": false, "author": false, "path": false, "pattern": false, "": false, "---": false, "ключ": false, "X-Cache-Key": false,
	} {
		if Named(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

func TestRandomValuesOfHeadersThatTellNothing(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"X-Corp", "d41d8cd98f00b204e9800998ecf8427e", true}, {"X-Corp", "acme", false}, {"X-Corp", "a-long-name-without-any-number", false},
		{"X-Request-Id", "d41d8cd98f00b204e9800998ecf8427e", false}, {"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false},
		{"X-Where", "https://example.test/v1/abcdefgh12345", false}, {"User-Agent", "something-12345678901234567890", false}, {"X-When", "20261130120000000000000", false},
	} {
		if got := Random(c.value) && !Tells(c.name); got != c.want {
			t.Errorf("%s: %s is hidden: %v", c.name, c.value, got)
		}
	}
}

// What is hidden elsewhere too is the value itself, as it stands and as an address spells it; never a word that anybody uses.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want []string
	}{
		{[]string{"s", "--api-key", "sk-123", "--token=abc"}, []string{"sk-123", "abc"}},
		{[]string{"s", "postgres://postgres:postgres@h/db"}, nil},
		{[]string{"s", "postgres://me:password@h/db"}, nil},
		{[]string{"s", "postgres://me:p%40ss@h/db"}, []string{"p%40ss", "p@ss"}},
		{[]string{"s", "--token", "Weather1", "Weather1"}, []string{"Weather1"}},
		{[]string{"s", `{"apiKey":"a\"b"}`}, []string{`a"b`}},
		{[]string{"s", "--max-tokens", "100"}, nil},
	} {
		if got := Values(c.argv); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.argv, got, c.want)
		}
	}
}

func FuzzMask(f *testing.F) {
	f.Add("npx\x00s\x00--api-key\x00sk-1")
	f.Add(`{"a":"\u00e9","token":["x"]}`)
	f.Add("sh\x00-c\x00A='b c' curl -H \"X-Api-Key: d\" https://u:p/w@h/?a&token=b#c")
	f.Add("a=b;password=c,d=e;Bearer x")
	f.Fuzz(func(t *testing.T, line string) {
		words := strings.Split(line, "\x00")
		for i, parts := range Words(words) {
			at := 0
			for _, p := range parts {
				if p.From < at || p.To <= p.From || p.To > len(words[i]) {
					t.Fatalf("%q: parts %v", words[i], parts)
				}
				at = p.To
			}
		}
		once := Mask(words)
		if twice := Mask(once); len(twice) != len(words) {
			t.Fatalf("%q became %q", once, twice)
		}
		Values(words)
	})
}

func BenchmarkMask(b *testing.B) {
	words := strings.Fields("npx -y @modelcontextprotocol/server-everything --api-key sk-123 --max-tokens 100 https://host/mcp?api_key=abc&lang=en DATABASE_URL=postgres://u:p@h/db")
	b.ReportAllocs()
	for b.Loop() {
		Mask(words)
	}
}
