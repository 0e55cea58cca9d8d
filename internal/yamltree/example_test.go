package yamltree_test

import (
	"fmt"

	"epsiloscope/internal/yamltree"
)

// A text is edited towards another tree: comments and layout stay where nothing differs.
func ExamplePatch() {
	doc, err := yamltree.Read([]byte("# counts\nsigma: 2   # as agreed\ncount: 3\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := yamltree.Read([]byte("sigma: 2\ncount: 5\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(yamltree.Patch(doc, to.Root, false)))
	// Output:
	// # counts
	// sigma: 2   # as agreed
	// count: 5
}
