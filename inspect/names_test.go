package inspect

import "testing"

func TestNamesThatLookAlike(t *testing.T) {
	for _, pair := range [][2]string{
		{"send_email", "send_emai1"}, {"getUser", "getuser"}, {"list-files", "list_files"}, {"go_to", "g0_t0"}, {"pay", "рay"}, {"copy", "соpy"},
		{"run", "rυn"}, {"modern", "modem"}, {"Il", "1l"},
	} {
		if skeleton(pair[0]) != skeleton(pair[1]) {
			t.Errorf("%q and %q look alike", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"send_mail", "send_mails"}, {"get_user", "set_user"}, {"read_file", "read_files"}, {"a", "b"}, {"v2", "v3"}, {"поиск", "поиски"}, {"天気", "天候"},
	} {
		if skeleton(pair[0]) == skeleton(pair[1]) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
}
