package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/session/oauth/oauthtest"
)

func TestClientCredentials(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	for name, cfg := range map[string]Config{
		"secret": {ClientID: "robot", ClientSecret: "a robot's secret", ClientCredentials: true},
		"key":    {ClientID: "robot", PrivateKey: text, ClientCredentials: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := oauthtest.New(t)
			w.Client("robot", cfg.ClientSecret)
			if name == "secret" {
				// RFC 6749 §2.3.1: what stands in the Basic field is form-encoded.
				w.Client("robot", "a+robot%27s+secret")
			}
			w.Need = func(*http.Request, string) []string { return []string{"work"} }
			c, err := New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			var story strings.Builder
			token, err := c.Authorize(t.Context(), Challenge{Server: w.URL(), Status: 401, Fields: []string{`Bearer scope="work"`}}, Help{Tell: func(s Step) {
				story.WriteString(stepBodies(s))
			}})
			if err != nil || c.Bearer(w.URL()) != token || token == "" {
				t.Fatalf("%q, %v", token, err)
			}
			f := w.Forms()[0]
			if f.Get("grant_type") != "client_credentials" || f.Get("scope") != "work" || f.Get("resource") != w.URL() || w.Count("as GET /authorize") != 0 {
				t.Errorf("asked with %v", f)
			}
			if name == "key" {
				checkAssertion(t, f.Get("client_assertion"), &key.PublicKey, w.AS.URL)
				if strings.Contains(story.String(), f.Get("client_assertion")) {
					t.Error("the assertion is shown")
				}
			}
		})
	}
}

func stepBodies(s Step) string {
	text := s.Text
	for _, h := range []*Head{s.Request, s.Response} {
		if h != nil {
			text += h.Body
		}
	}
	return text
}

func checkAssertion(t *testing.T, jwt string, key *ecdsa.PublicKey, audience string) {
	t.Helper()
	part := strings.Split(jwt, ".")
	if len(part) != 3 {
		t.Fatalf("no JWT: %q", jwt)
	}
	sig, _ := base64.RawURLEncoding.DecodeString(part[2])
	sum := sha256.Sum256([]byte(part[0] + "." + part[1]))
	if len(sig) != 64 || !ecdsa.Verify(key, sum[:], new(big.Int).SetBytes(sig[:32]), new(big.Int).SetBytes(sig[32:])) {
		t.Error("the signature is not good")
	}
	text, _ := base64.RawURLEncoding.DecodeString(part[1])
	var claims struct {
		Iss, Sub, Aud, Jti string
		Iat, Exp           int64
	}
	if err := json.Unmarshal(text, &claims); err != nil || claims.Iss != "robot" || claims.Sub != "robot" || claims.Aud != audience || claims.Jti == "" || claims.Exp-claims.Iat != 60 {
		t.Errorf("claims %s, %v", text, err)
	}
}

func TestKeys(t *testing.T) {
	small, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readKey(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(small)})); err != nil {
		t.Error(err)
	}
	p384, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	der, _ := x509.MarshalECPrivateKey(p384)
	for _, text := range [][]byte{nil, []byte("no key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})} {
		if _, err := readKey(text); err == nil {
			t.Errorf("%q is taken for a key", text)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, cfg := range []Config{
		{ClientSecret: "x"}, {ClientCredentials: true}, {ClientCredentials: true, ClientID: "x"},
		{ClientDocument: "http://x/y"}, {ClientDocument: "https://x"}, {ClientDocument: "https://x/"}, {PrivateKey: []byte("x"), ClientID: "x"},
	} {
		if _, err := New(cfg); err == nil {
			t.Errorf("%+v is fine", cfg)
		}
	}
}

func TestAuthMethod(t *testing.T) {
	for _, c := range []struct {
		offered     []string
		registered  string
		secret, key bool
		want        string
	}{
		{nil, "", true, false, secretBasic},
		{nil, "", false, false, "none"},
		{[]string{secretPost}, "", true, false, secretPost},
		{[]string{secretPost, secretBasic}, "", true, false, secretBasic},
		{[]string{secretBasic}, secretPost, true, false, secretPost},
		{[]string{"none"}, "", true, false, "none"},
		{[]string{privateKeyJWT}, "", false, true, privateKeyJWT},
		{[]string{secretBasic}, "", true, true, secretBasic},
	} {
		if got := authMethod(&Metadata{AuthMethods: c.offered}, c.registered, c.secret, c.key); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "tokens.json")
	s := NewStore(path)
	if _, ok, err := s.token("https://a/mcp"); ok || err != nil {
		t.Errorf("an absent file: %v, %v", ok, err)
	}
	a := Token{Issuer: "https://as1", Resource: "https://a/mcp", Server: "https://a/mcp", Access: "one", Expires: time.Unix(2e9, 0)}
	b := Token{Issuer: "https://as2", Resource: "https://a/mcp", Server: "https://a/mcp", Access: "two"}
	for _, one := range []Token{a, b, a} {
		if err := s.keepToken(one); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := NewStore(path).token("https://a/mcp"); !ok || err != nil || got.Access != "one" || !got.Expires.Equal(a.Expires) {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
	if _, ok, _ := s.token("https://b/mcp"); ok {
		t.Error("a token for somebody else")
	}
	if err := s.forgetToken(a); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := s.token("https://a/mcp"); got.Access != "two" {
		t.Errorf("%+v", got)
	}
	renewed := b
	renewed.Access = "three"
	if err := NewStore(path).keepToken(renewed); err != nil {
		t.Fatal(err)
	}
	if err := s.forgetToken(b); err != nil { // it is another one's by now
		t.Fatal(err)
	}
	if got, _, _ := s.token("https://a/mcp"); got.Access != "three" {
		t.Errorf("the token that was renewed elsewhere is gone: %+v", got)
	}
	now := time.Unix(1e9, 0)
	if err := s.keepClient(Registration{Issuer: "https://as1", ClientID: "c", Expires: now.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := s.client("https://as1", now); !ok {
		t.Error("the registration is gone")
	}
	if _, ok, _ := s.client("https://as1", now.Add(2*time.Hour)); ok {
		t.Error("an expired registration is used")
	}
	if _, ok, _ := s.client("https://as2", now); ok {
		t.Error("a registration of somebody else")
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 2 { // with the lock
		t.Errorf("left behind: %v, %v", files, err)
	}
	for _, text := range []string{"not json", `{"version":9}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.keepToken(a); err == nil {
			t.Errorf("a file with %q was written over", text)
		}
	}
	var none *Store
	if err := none.keepToken(a); err != nil {
		t.Error(err)
	}
}

func TestMasking(t *testing.T) {
	for _, c := range []struct{ mediaType, body, want string }{
		{"application/json", `{"access_token":"abc","expires_in":3}`, `{"access_token":"***","expires_in":3}`},
		{"application/json", `{"access_token":"a\"bc","x":"a\"bc"}`, `{"access_token":"***","x":"***"}`},
		{"application/x-www-form-urlencoded", "grant_type=x&code=abc&client_secret=&state=s", "grant_type=x&code=***&client_secret=&state=s"},
		{"text/html", "<p>x", "<p>x"},
		{"application/json", `{"error":{"code":-1},"data":{"id_token":"abc"}}`, `{"error":{"code":-1},"data":{"id_token":"***"}}`},
		{"text/plain", "access_token=abc&token_type=bearer", "access_token=***&token_type=bearer"},
		{"application/json", `{"expires_in":3,"access_token": "ab`, `{"expires_in":3,"access_token": "***`},
	} {
		if got := maskBody(c.mediaType, []byte(c.body)); got != c.want {
			t.Errorf("%s: %s", c.body, got)
		}
	}
	if got := maskURL("https://u:p@x/y?code=abc&z=1#access_token=abc"); got != "https://***@x/y?code=***&z=1" && got != "https://%2A%2A%2A@x/y?code=***&z=1" {
		t.Error(got)
	}
}
