package interop

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"epsiloscope/internal/gauge"
)

// largeRecords are records of any size: many items, deep nesting, long numbers, texts
// and names, and names that stand for more than they say.
var largeRecords = []struct {
	name, format, head, tail string
	item                     func(i int) string
}{
	{"history", "opacus", `{"history":[[1,0.5,9]`, "]}", func(i int) string { return fmt.Sprintf(",[1.%d,0.5,9]", i) }},
	{"steps that cost nothing", "opacus", `{"history":[[1,0.5,9]`, "]}", func(int) string { return ",[1,0.5,0]" }},
	{"digits", "opacus", `{"history":[[1,0.5,9`, "]]}", func(int) string { return "999" }},
	{"lists in lists", "opacus", `{"history":`, "", func(int) string { return "[" }},
	{"keys of a checkpoint", "opacus", `{"privacy_accountant_state_dict":{"history":[[1,0.5,9]]}`, "}", func(i int) string { return fmt.Sprintf(`,"k%d":0`, i) }},
	{"events as JSON", "dp-accounting", `{"class_name":"ComposedDpEvent","events":[{"class_name":"NoOpDpEvent"}`, "]}", func(i int) string { return fmt.Sprintf(`,{"class_name":"GaussianDpEvent","noise_multiplier":1.%d}`, i) }},
	{"events in events as JSON", "dp-accounting", "", "", func(int) string { return `{"class_name":"SelfComposedDpEvent","count":1,"event":` }},
	{"events", "dp-accounting", "ComposedDpEvent([", "])", func(i int) string { return fmt.Sprintf("GaussianDpEvent(1.%d),", i) }},
	{"events that are refused", "dp-accounting", "ComposedDpEvent([", "])", func(int) string { return "NonPrivateDpEvent()," }},
	{"events that cost nothing", "dp-accounting", "ComposedDpEvent([GaussianDpEvent(1),", "])", func(int) string { return "NoOpDpEvent()," }},
	{"labels", "dp-accounting", "ComposedDpEvent([\n", "])", func(i int) string { return fmt.Sprintf("# %d\nGaussianDpEvent(1),\n", i) }},
	{"a label", "dp-accounting", "ComposedDpEvent([\n", "GaussianDpEvent(1)])", func(int) string { return "# c\n" }},
	{"compose", "dp-accounting", "a = RdpAccountant()\n", "", func(i int) string { return fmt.Sprintf("a.compose(GaussianDpEvent(1.%d), 3)\n", i) }},
	{"compose in a row", "dp-accounting", "RdpAccountant()", "", func(int) string { return ".compose(GaussianDpEvent(1))" }},
	{"names", "dp-accounting", "", "GaussianDpEvent(1)", func(i int) string { return fmt.Sprintf("x%d = %d\n", i, i) }},
	{"names of names", "dp-accounting", "x0 = GaussianDpEvent(1)\n", "", func(i int) string { return fmt.Sprintf("x%d = SelfComposedDpEvent(x%d, 1)\n", i+1, i) }},
	{"doubled names", "dp-accounting", "x = GaussianDpEvent(1)\n", "", func(int) string { return "x = ComposedDpEvent([x, x])\n" }},
	{"doubled names in a sample", "dp-accounting", "x = GaussianDpEvent(1)\n", "PoissonSampledDpEvent(0.1, x)", func(int) string { return "x = ComposedDpEvent([x, x])\n" }},
	{"imports", "dp-accounting", "", "GaussianDpEvent(1)", func(i int) string { return fmt.Sprintf("import a%d\n", i) }},
	{"names imported", "dp-accounting", "from dp_accounting import a", "\nGaussianDpEvent(1)", func(i int) string { return fmt.Sprintf(", a%d", i) }},
	{"comments", "dp-accounting", "", "GaussianDpEvent(1)", func(int) string { return "# GaussianDpEvent(1)\n" }},
	{"a comment", "dp-accounting", "# ", "\nGaussianDpEvent(1)", func(int) string { return "(a " }},
	{"brackets", "dp-accounting", "", "", func(int) string { return "(" }},
	{"signs", "dp-accounting", "GaussianDpEvent(", "1)", func(int) string { return "-" }},
	{"sums", "dp-accounting", "GaussianDpEvent(", "1)", func(int) string { return "1+" }},
	{"dots", "dp-accounting", "a", "(1)", func(int) string { return ".a" }},
	{"digits of Python", "dp-accounting", "GaussianDpEvent(9", ")", func(int) string { return "99" }},
	{"hexadecimal digits", "dp-accounting", "GaussianDpEvent(0x1", ")", func(int) string { return "ff" }},
	{"long numbers", "dp-accounting", "ComposedDpEvent([", "])", func(int) string { return "GaussianDpEvent(" + strings.Repeat("9", 300) + ")," }},
	{"a text", "dp-accounting", `x = "`, "\"\nGaussianDpEvent(1)", func(int) string { return "ab" }},
	{"texts", "dp-accounting", "GaussianDpEvent(1)\n", "", func(int) string { return "'x'\n" }},
	{"empty lines", "dp-accounting", "", "GaussianDpEvent(1)", func(int) string { return "\n" }},
	{"arguments", "dp-accounting", "GaussianDpEvent(1", ")", func(i int) string { return fmt.Sprintf(", a%d=1", i) }},
	{"questions", "dp-accounting", "a = RdpAccountant().compose(GaussianDpEvent(1))\n", "", func(int) string { return "a.get_epsilon(1e-6)\n" }},
	{"continued lines", "dp-accounting", "GaussianDpEvent(1)", "", func(int) string { return "\\\n" }},
	{"trees", "dp-accounting", "SingleEpochTreeAggregationDpEvent(1, [", "])", func(int) string { return "5," }},
	{"pairs", "diffprivlib", "[", "]", func(i int) string { return fmt.Sprintf("(0.1%d,0),", i) }},
	{"pairs that cost nothing", "diffprivlib", "[(1,0),", "]", func(int) string { return "(0,0)," }},
	{"budgets", "tumult", "", "", func(i int) string { return fmt.Sprintf("PureDPBudget(0.1%d)\n", i) }},
	{"measurements", "opendp", "[null", "]", func(int) string {
		return `,{"__function__":"make_randomized_response_bool","__module__":"measurements","__kwargs__":{"prob":0.75}}`
	}},
	{"measurements in measurements", "opendp", "", "", func(int) string {
		return `{"__function__":"make_approximate","__module__":"combinators","__kwargs__":{"measurement":`
	}},
	{"categories", "opendp", `{"__function__":"make_randomized_response","__module__":"measurements","__kwargs__":{"prob":0.75,"categories":["a"`, "]}}", func(int) string { return ",1" }},
	{"rows", "csv", "mechanism,epsilon,count\n", "", func(i int) string { return fmt.Sprintf("pure,0.1%d,\n", i) }},
	{"rows that cost nothing", "csv", "mechanism,epsilon,count\npure,1,1\n", "", func(int) string { return "pure,1,0\n" }},
	{"columns", "csv", "mechanism", "\n", func(int) string { return ",label" }},
	{"cells", "csv", "mechanism,epsilon\npure", "\n", func(int) string { return ",1" }},
	{"a quoted cell", "csv", "mechanism,epsilon,label\npure,1,\"", "\"\n", func(int) string { return "a\n" }},
	{"a sum in a cell", "csv", "mechanism,epsilon\npure,", "1\n", func(int) string { return "1+" }},
	{"brackets in a cell", "csv", "mechanism,epsilon\npure,", "1\n", func(int) string { return "(" }},
	{"words", "tf-privacy", tfRun, "", func(int) string { return " x" }},
	{"digits of a statement", "tf-privacy", "DP-SGD performed over 1", " examples with 64 examples per iteration", func(int) string { return "0" }},
}

// A large record is read or refused in work that grows with its size and no faster:
// twice the record, at most about twice the memory taken. The long form reads the
// largest that are read at all.
func TestLargeRecords(t *testing.T) {
	for _, c := range largeRecords {
		t.Run(c.name, func(t *testing.T) {
			sizes := []int{8 << 10, 16 << 10}
			if gauge.Long() {
				sizes = []int{MaxSize / 2, MaxSize}
			}
			var taken [2]uint64
			for i, size := range sizes {
				var text strings.Builder
				text.WriteString(c.head)
				for k := 0; text.Len() < size-len(c.tail)-400; k++ {
					text.WriteString(c.item(k))
				}
				text.WriteString(c.tail)
				data := []byte(text.String())
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := Import(c.format, data)
				runtime.ReadMemStats(&after)
				taken[i] = after.TotalAlloc - before.TotalAlloc
				if err != nil && len(err.Error()) > 4*maxText+100 {
					t.Errorf("a message of %d bytes", len(err.Error()))
				}
			}
			if taken[1] > 3*taken[0]+1<<20 {
				t.Errorf("%d bytes took %d, %d took %d", sizes[0], taken[0], sizes[1], taken[1])
			}
		})
	}
}
