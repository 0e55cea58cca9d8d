package scenarios

import (
	"errors"
	"strings"
	"time"

	"epsiloscope/internal/format"
	"epsiloscope/internal/yamltree"
	"epsiloscope/mechanisms/param"
)

// Deployment holds the answers to what a register of deployments asks about a release beyond its
// cost. An empty text means that it is not stated. No field changes a bound.
type Deployment struct {
	Curator     string // who publishes
	Use         string // what the release is for
	Product     string // a choice: summary-statistics, machine-learning-model, …
	Region      string // which region the data describe
	Sector      string // a choice: technology, healthcare, …
	Published   string // the date, as YYYY-MM-DD
	Model       string // a choice: central, local, shuffle, federated
	Releases    string // a choice: one, many
	Data        string // a choice: static, dynamic
	Access      string // a choice: interactive, non-interactive
	Unprotected string // what is published exactly, such as invariants; "none" if nothing is
	Others      string // other releases from the same data; "none" if there are none
	Sources     string // where it is described
	Authors     string // who filled in the record

	Domain         string // which values the data can have, and what is public about them
	Actors         string // who holds the data, who adds the noise, who sees the output
	ModelDetails   string // more on where the noise is added
	ReleaseDetails string // more on how often is released
	DataDetails    string // more on how the data come in
	AccessDetails  string // more on who asks
	PostProcessing string // what is done with the noisy answers before they are published
	Preprocessing  string // what is done with the data before, such as clipping, and how parameters were tuned
	Justification  string // why these privacy parameters
	Notes          string // anything else
}

// MissingForRegister lists the fields, by their paths, that a register of deployments requires and the scenario lacks.
func (s *Scenario) MissingForRegister() (paths []string) {
	d := s.Deployment
	for _, f := range []struct{ path, text string }{
		{"name", s.Name}, {"description", s.Description}, {"unit", s.Unit}, {"deployment.curator", d.Curator}, {"deployment.use", d.Use},
		{"deployment.product", d.Product}, {"deployment.region", d.Region}, {"deployment.published", d.Published},
	} {
		if strings.TrimSpace(f.text) == "" {
			paths = append(paths, f.path)
		}
	}
	return paths
}

// deploymentFields are the fields under deployment, in the order of a new file.
func deploymentFields() []format.Field[Scenario] {
	return []format.Field[Scenario]{
		deploymentText("curator", "who publishes the release; several are separated by semicolons", func(d *Deployment) *string { return &d.Curator }),
		deploymentText("use", "what the release is for", func(d *Deployment) *string { return &d.Use }),
		deploymentChoice("product", "what is published", func(d *Deployment) *string { return &d.Product },
			"summary-statistics", "machine-learning-model", "dataset", "synthetic-data", "interactive-api", "sql-queries"),
		deploymentText("region", "which region the data describe", func(d *Deployment) *string { return &d.Region }),
		deploymentChoice("sector", "which sector the data describe", func(d *Deployment) *string { return &d.Sector },
			"technology", "healthcare", "education", "government", "energy", "finance"),
		{Param: param.Param{Name: "published", Help: "date of the first publication, as YYYY-MM-DD", Type: freeText}, Aside: true,
			At: func(s *Scenario) any { return (*date)(&s.Deployment.Published) }},
		deploymentChoice("model", "where the noise is added", func(d *Deployment) *string { return &d.Model }, "central", "local", "shuffle", "federated"),
		deploymentChoice("releases", "whether there is one release or many over time", func(d *Deployment) *string { return &d.Releases }, "one", "many"),
		deploymentChoice("data", "whether new data come in over time", func(d *Deployment) *string { return &d.Data }, "static", "dynamic"),
		deploymentChoice("access", "whether analysts query the data or see what is published", func(d *Deployment) *string { return &d.Access },
			"interactive", "non-interactive"),
		deploymentText("unprotected", "what is published exactly, without noise, such as invariants; none if nothing is", func(d *Deployment) *string { return &d.Unprotected }),
		deploymentText("others", "other releases from the same data that are not in the stack; none if there are none", func(d *Deployment) *string { return &d.Others }),
		deploymentText("sources", "where the deployment is described", func(d *Deployment) *string { return &d.Sources }),
		deploymentText("authors", "who filled in the record; several are separated by semicolons", func(d *Deployment) *string { return &d.Authors }),
		deploymentText("domain", "which values the data can have, and what is public about them", func(d *Deployment) *string { return &d.Domain }),
		deploymentText("actors", "who holds the data, who adds the noise, who sees the output", func(d *Deployment) *string { return &d.Actors }),
		deploymentText("model_details", "more on where the noise is added", func(d *Deployment) *string { return &d.ModelDetails }),
		deploymentText("releases_details", "more on how often is released", func(d *Deployment) *string { return &d.ReleaseDetails }),
		deploymentText("data_details", "more on how the data come in", func(d *Deployment) *string { return &d.DataDetails }),
		deploymentText("access_details", "more on who asks", func(d *Deployment) *string { return &d.AccessDetails }),
		deploymentText("post_processing", "what is done with the noisy answers before they are published", func(d *Deployment) *string { return &d.PostProcessing }),
		deploymentText("preprocessing", "what is done with the data before, such as clipping, and how parameters were tuned", func(d *Deployment) *string { return &d.Preprocessing }),
		deploymentText("justification", "why these privacy parameters", func(d *Deployment) *string { return &d.Justification }),
		deploymentText("notes", "anything else", func(d *Deployment) *string { return &d.Notes }),
	}
}

func deploymentText(name, help string, at func(*Deployment) *string) format.Field[Scenario] {
	return format.Field[Scenario]{Param: param.Param{Name: name, Help: help, Type: freeText}, Aside: true,
		At: func(s *Scenario) any { return at(&s.Deployment) }}
}

func deploymentChoice(name, help string, at func(*Deployment) *string, choices ...string) format.Field[Scenario] {
	return format.Field[Scenario]{Param: param.Param{Name: name, Help: help, Type: param.Choice, Choices: choices,
		Optional: true}, Aside: true,
		At: func(s *Scenario) any { return at(&s.Deployment) }}
}

// date is a day of the calendar as a file has it, YYYY-MM-DD.
type date string

const dateAllowed = "must be a date such as 2026-11-17"

// problem returns what is wrong with the text, or "" if it is a date.
func (d date) problem() string {
	if _, err := time.Parse(time.DateOnly, string(d)); err != nil {
		return dateAllowed
	}
	return ""
}

// Clear removes the date.
func (d *date) Clear() { *d = "" }

func (d *date) Decode(dec *format.Decoder, _ param.Param, n *yamltree.Node, path string) {
	if n.Kind != yamltree.Scalar || date(n.Text).problem() != "" {
		dec.Fail(n, path, dateAllowed+", got "+n.Describe())
		return
	}
	*d = date(n.Text)
}

func (d *date) Check(c *format.Checker, path string) {
	if *d != "" {
		c.Add(path, d.problem())
	}
}

func (d *date) Get() (v param.Value, given bool) { return param.ChoiceValue(string(*d)), *d != "" }

// Set reads a date; none takes it back.
func (d *date) Set(_ param.Param, text string) error {
	if text == "" || text == "none" {
		*d = ""
		return nil
	}
	if problem := date(text).problem(); problem != "" {
		return errors.New(problem)
	}
	*d = date(text)
	return nil
}

func (d *date) Tree(p param.Param) (t *yamltree.Node, implied bool) { return format.TreeOf(d, p) }

func (d *date) Schema(p param.Param) format.Object {
	return format.Object{"description": p.Help, "type": "string", "pattern": `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`}
}
