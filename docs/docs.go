// Package docs holds the documents that the program prints as they are.
package docs

import _ "embed"

// Schema is the JSON Schema of the scenario file, as scenarios.Schema returns it. Printing it takes no longer than any
// command's start; making it does.
//
//go:embed epsiloscope.schema.json
var Schema string
