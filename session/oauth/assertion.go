package oauth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"time"
)

// readKey reads a private key in PEM (PKCS#8, PKCS#1 or SEC 1): RSA of at least 2048 bits, or P-256.
func readKey(text []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("reading the private key: no PEM block")
	}
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the private key: %w", err)
	}
	switch k := key.(type) {
	case *rsa.PrivateKey:
		if k.N.BitLen() < 2048 {
			return nil, errors.New("reading the private key: RSA needs at least 2048 bits")
		}
		return k, nil
	case *ecdsa.PrivateKey:
		if k.Curve.Params().BitSize == 256 {
			return k, nil
		}
	}
	return nil, errors.New("reading the private key: only RSA and P-256 are supported")
}

// assertion is a signed statement of who we are (RFC 7523 §2.2), for one use within a minute.
func assertion(key crypto.Signer, clientID, audience string, now time.Time) (string, error) {
	alg := "ES256"
	if _, is := key.(*rsa.PrivateKey); is {
		alg = "RS256"
	}
	claims, err := json.Marshal(map[string]any{
		"iss": clientID, "sub": clientID, "aud": audience, "jti": rand.Text(), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
	})
	if err != nil {
		return "", fmt.Errorf("signing the client assertion: %w", err)
	}
	enc := base64.RawURLEncoding
	text := enc.EncodeToString([]byte(`{"alg":"`+alg+`","typ":"JWT"}`)) + "." + enc.EncodeToString(claims)
	sum := sha256.Sum256([]byte(text))
	var sig []byte
	if k, is := key.(*ecdsa.PrivateKey); is {
		r, s, err := ecdsa.Sign(rand.Reader, k, sum[:])
		if err != nil {
			return "", fmt.Errorf("signing the client assertion: %w", err)
		}
		sig = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	} else if sig, err = key.Sign(rand.Reader, sum[:], crypto.SHA256); err != nil {
		return "", fmt.Errorf("signing the client assertion: %w", err)
	}
	return text + "." + enc.EncodeToString(sig), nil
}
