package graphics

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"mcploupe/highlight/media"
)

// hostile is a picture as a server may send it: beside its pixels it carries text that commands a terminal.
func hostile(t *testing.T) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 12, 8))
	for i := range m.Pix {
		m.Pix[i] = uint8(i*7) | 3
	}
	m.SetNRGBA(0, 0, color.NRGBA{R: 1, G: 2, B: 3, A: 255})
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	text := []byte("tEXtComment\x00\x1b]52;c;aGVsbG8=\x07\x1b[2J")
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(text)-4))
	chunk = append(chunk, text...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(text))
	raw := b.Bytes()
	return append(append(append([]byte(nil), raw[:33]...), chunk...), raw[33:]...)
}

func TestNoByteOfAServerLeavesTheEscape(t *testing.T) {
	raw := hostile(t)
	if !bytes.Contains(raw, []byte("\x1b]52")) {
		t.Fatal("the picture is harmless")
	}
	m, err := media.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[Protocol]string{
		Kitty:  `^(\x1b_G[a-zA-Z0-9=,]*(;[A-Za-z0-9+/=]+)?\x1b\\)+$`,
		ITerm2: `^\x1b\]1337;File=[a-zA-Z0-9=;]*:[A-Za-z0-9+/=]+\x07$`,
		Sixel:  `^\x1bP[0-9;]*q[!-~]+\x1b\\$`,
	} {
		var b bytes.Buffer
		if err := Write(&b, p, m, Room{Cols: 80, Rows: 23}); err != nil {
			t.Errorf("%s: %v", p, err)
			continue
		}
		if !regexp.MustCompile(want).MatchString(b.String()) {
			t.Errorf("%s: %.200q", p, b.String())
		}
	}
}

func TestWhatIsSentIsThePicture(t *testing.T) {
	m, err := media.Decode(hostile(t))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, Kitty, m, Room{Cols: 80, Rows: 23, CellW: 8, CellH: 16}); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, part := range regexp.MustCompile(`\x1b_G[^;\x1b]*;?([^\x1b]*)\x1b\\`).FindAllStringSubmatch(b.String(), -1) {
		text.WriteString(part[1])
	}
	file, err := base64.StdEncoding.DecodeString(text.String())
	if err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 8 {
		for x := range 12 {
			if a, b := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA), color.NRGBAModel.Convert(back.At(x, y)).(color.NRGBA); a.A == 255 && a != b {
				t.Fatalf("%d,%d: %v, was %v", x, y, b, a)
			}
		}
	}
	if !strings.Contains(b.String(), "c=9,r=3") || !strings.Contains(b.String(), "q=2") || !strings.Contains(b.String(), "C=1") {
		t.Errorf("%.100q", b.String())
	}
}

func TestWhichTerminalDrawsHow(t *testing.T) {
	for env, want := range map[string]Protocol{
		"TERM=xterm-kitty":                                Kitty,
		"TERM=xterm-256color KITTY_WINDOW_ID=1":           Kitty,
		"TERM=xterm-256color KITTY_WINDOW_ID=1 TMUX=x":    Blocks,
		"TERM=screen-256color TERM_PROGRAM=WezTerm":       Blocks,
		"TERM=xterm-256color TERM_PROGRAM=WezTerm":        ITerm2,
		"TERM=xterm-256color TERM_PROGRAM=iTerm.app":      ITerm2,
		"TERM=xterm-ghostty":                              Kitty,
		"TERM=foot":                                       Sixel,
		"TERM=xterm-256color TERM_PROGRAM=Apple_Terminal": Blocks,
		"TERM=xterm-256color":                             Auto,
		"":                                                Auto,
	} {
		vars := map[string]string{}
		for kv := range strings.FieldsSeq(env) {
			k, v, _ := strings.Cut(kv, "=")
			vars[k] = v
		}
		if got := Detect(func(k string) string { return vars[k] }); got != want {
			t.Errorf("%s: %s, want %s", env, got, want)
		}
	}
	if !HasSixel([]int{62, 4, 22}) || HasSixel([]int{64}) {
		t.Error("the answer to AsksSixel is misread")
	}
	for _, name := range names {
		if p, err := Parse(name); err != nil || p.String() != name {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if _, err := Parse("ascii"); err == nil || !strings.Contains(err.Error(), "kitty") {
		t.Errorf("%v", err)
	}
}

// shownIn shows a picture on a terminal of an emulator that is read key by key.
func shownIn(t *testing.T, p Protocol, keys string) (*Show, *vt.Emulator, string) {
	t.Helper()
	var out bytes.Buffer
	var picture bytes.Buffer
	if err := Write(&picture, p, image.NewGray(image.Rect(0, 0, 30, 30)), Room{Cols: 40, Rows: 11}); err != nil {
		t.Fatal(err)
	}
	s := &Show{Ctx: t.Context(), Protocol: p, Picture: picture.Bytes(), Caption: "1 image", W: 40, H: 12}
	s.SetStdin(strings.NewReader(keys))
	s.SetStdout(&out)
	if err := s.Run(); err != nil {
		t.Fatal(err)
	}
	e := vt.NewEmulator(40, 12)
	if _, err := e.Write([]byte("before")); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Write(out.Bytes()); err != nil {
		t.Fatal(err)
	}
	return s, e, out.String()
}

func TestAPictureHasTheScreenUntilAKey(t *testing.T) {
	for _, p := range []Protocol{Kitty, ITerm2, Sixel} {
		s, e, out := shownIn(t, p, "x")
		if s.Left || !strings.Contains(out, "1 image · any key goes back") {
			t.Errorf("%s: left %v, %q", p, s.Left, out)
		}
		if text := e.String(); !strings.HasPrefix(text, "before") || strings.Contains(text, "image") {
			t.Errorf("%s: afterwards the screen is %q", p, text)
		}
		if (p == Kitty) != strings.Contains(out, "a=d,d=A") {
			t.Errorf("%s: what was shown stays", p)
		}
	}
	if s, _, _ := shownIn(t, Kitty, "\x03"); !s.Left {
		t.Error("ctrl+c does not leave")
	}
}

func TestTheEndOfTheProgramEndsThePicture(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &Show{Ctx: ctx, Protocol: Sixel, Picture: []byte("x"), W: 10, H: 5}
	s.SetStdin(strings.NewReader("x"))
	s.SetStdout(&bytes.Buffer{})
	if err := s.Run(); err != nil {
		t.Error(err)
	}
}

func TestPicturesOfAnyShapeFit(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {1, 4000}, {4000, 1}, {3000, 2000}, {16, 16}} {
		m := image.NewGray(image.Rect(0, 0, c[0], c[1]))
		for _, r := range []Room{{80, 23, 0, 0}, {1, 1, 8, 16}, {200, 60, 9, 18}, {0, 0, 0, 0}} {
			_, _, cols, rows := r.fit(c[0], c[1])
			if cols < 1 || rows < 1 || cols > max(r.Cols, 1) || rows > max(r.Rows, 1) {
				t.Errorf("%v in %v: %d × %d", c, r, cols, rows)
			}
			for _, p := range []Protocol{Kitty, ITerm2, Sixel} {
				if c[0]*c[1] < 5000 {
					if err := Write(&bytes.Buffer{}, p, m, r); err != nil {
						t.Errorf("%v %v %s: %v", c, r, p, err)
					}
				}
			}
		}
	}
}

func BenchmarkSixelOfAScreen(b *testing.B) {
	m := image.NewNRGBA(image.Rect(0, 0, 1600, 1000))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * 31 >> 3)
	}
	for b.Loop() {
		if err := Write(&bytes.Buffer{}, Sixel, m, Room{Cols: 120, Rows: 35}); err != nil {
			b.Fatal(err)
		}
	}
}
