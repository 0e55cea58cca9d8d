package share

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
	"epsiloscope/teach/lectures"
)

// probe writes into the title what a browser found: errors, the width of the page and that of the window.
const probe = `<script>
var faults = 0;
window.addEventListener("error", function () { faults++ }, true);
window.addEventListener("load", function () {
  document.title = "probe " + faults + " " + document.documentElement.scrollWidth + " " + window.innerWidth;
});
</script>`

// The page of every deck is opened in a real browser: no error, nothing wider than the window, on a telephone and on a
// desk.
func TestPagesInABrowser(t *testing.T) {
	if !gauge.Long() {
		t.Skip("opens a browser; EPSILOSCOPE_LONG=1 asks for it")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium on the path")
	}
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	for _, d := range lectures.Decks() {
		var b strings.Builder
		if err := LecturePage(context.Background(), &b, d); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), d.Key+".html")
		text := strings.Replace(policy.ReplaceAllString(b.String(), ""), "<title>", probe+"<title>", 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{500, 1280} { // the browser makes no window narrower than 500
			out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
				"--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(), fmt.Sprintf("--window-size=%d,900", width),
				"--dump-dom", "file://"+file).Output()
			if err != nil {
				t.Fatalf("%s at %d: %v", d.Key, width, err)
			}
			found := regexp.MustCompile(`<title>probe (\d+) (\d+) (\d+)</title>`).FindStringSubmatch(string(out))
			if found == nil {
				t.Fatalf("%s at %d: the page did not load", d.Key, width)
			}
			page, _ := strconv.Atoi(found[2])
			window, _ := strconv.Atoi(found[3])
			if found[1] != "0" || page > window {
				t.Errorf("%s at %d: %s errors, %d wide in a window of %d", d.Key, width, found[1], page, window)
			}
			t.Logf("%s: %d wide in a window of %d", d.Key, page, window)
		}
	}
}
