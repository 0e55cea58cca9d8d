package mechanisms

import (
	"context"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"epsiloscope/accounting"
	"epsiloscope/internal/gauge"
	"epsiloscope/mechanisms/param"
)

// structField says which parameter of the catalogue a field of a struct is. A field that may be left out
// is 0 then.
type structField struct {
	name, param string
	mayBeZero   bool
}

// plainStruct is a mechanism as a plain struct, filled in as it should be, with its number fields.
type plainStruct struct {
	good   Mechanism
	fields []structField
	others param.Values // of the fields that are no numbers
}

// plainStructs returns those of the table below, and for every other mechanism what a new entry starts
// with, if its number fields are called as its parameters are: NoiseMultiplier for noise_multiplier.
func plainStructs(t *testing.T) []plainStruct {
	list := slices.Clone(structs)
	known := map[string]bool{(RDP{}).Kind(): true, (MixtureOfGaussians{}).Kind(): true} // made of a list
	for _, s := range structs {
		known[s.good.Kind()] = true
	}
	for _, spec := range Catalogue() {
		if known[spec.Name] {
			continue
		}
		s := plainStruct{good: built(t, spec.Name, spec.Initials())}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(s.good)) {
			name := strings.ToLower(capital.ReplaceAllString(f.Name, "${1}_$2"))
			p, declared := spec.Param(name)
			if !declared || f.Type.Kind() != reflect.Float64 {
				t.Errorf("%s: no parameter is called as the field %s: give the struct a row of its own", spec.Name, f.Name)
				continue
			}
			s.fields = append(s.fields, structField{f.Name, name, p.Optional})
		}
		list = append(list, s)
	}
	return list
}

var capital = regexp.MustCompile("([a-z])([A-Z])")

// structs are the mechanisms whose fields are not called as their parameters, or are more than numbers.
var structs = []plainStruct{
	{Laplace{Epsilon: 1, Sensitivity: 1}, []structField{{"Epsilon", "epsilon", false}, {"Sensitivity", "sensitivity", false}}, nil}, // or by a scale
	{Geometric{Epsilon: 1, Sensitivity: 2}, []structField{{"Epsilon", "epsilon", false}, {"Sensitivity", "sensitivity", false}}, nil},
	{Gaussian{1, 1}, []structField{{"Sigma", "sigma", false}, {"Sensitivity", "sensitivity", false}}, nil},
	{DiscreteGaussian{2, 1}, []structField{{"Sigma", "sigma", false}, {"Sensitivity", "sensitivity", false}}, nil},
	{Exponential{Epsilon: 1, Sensitivity: 1}, []structField{{"Epsilon", "epsilon", false}, {"Sensitivity", "sensitivity", false}, {"Outputs", "outputs", true}}, nil},
	{NoisyMax{Epsilon: 1, Sensitivity: 1, Shape: "laplace"}, []structField{{"Epsilon", "epsilon", false}, {"Sensitivity", "sensitivity", false}, {"Outputs", "outputs", true}}, nil},
	{AboveThreshold{Epsilon: 1, Sensitivity: 1}, []structField{{"Epsilon", "epsilon", false}, {"Sensitivity", "sensitivity", false}}, nil},
	{SparseVector{Epsilon: 1, Positives: 3, Sensitivity: 1}, []structField{{"Epsilon", "epsilon", false}, {"Delta", "delta", true}, {"Positives", "positives", false}, {"Sensitivity", "sensitivity", false}}, nil},
	{Thresholdout{Budget: 3, Sigma: 1, N: 10}, []structField{{"Budget", "overfit_budget", false}, {"Sigma", "sigma", false}, {"N", "n", false}}, nil},
	{DPSGD{NoiseMultiplier: 1, SamplingRate: 0.5, Steps: 3}, []structField{{"NoiseMultiplier", "noise_multiplier", false}, {"SamplingRate", "sampling_rate", true}, {"Steps", "steps", true}, {"Records", "records", true}}, nil},
	{Matrix{Factorisation: SquareRoot, Steps: 5, NoiseMultiplier: 1, Participations: 1, Separation: 5}, []structField{{"Steps", "steps", false}, {"NoiseMultiplier", "noise_multiplier", false}, {"Participations", "participations", false}, {"Separation", "separation", false}}, nil},
	{Frequency{Protocol: OUE, Epsilon: 1, Domain: 4}, []structField{{"Epsilon", "epsilon", false}, {"Domain", "domain", false}, {"People", "people", true}},
		param.Values{"protocol": param.ChoiceValue("oue")}},
	{PartitionSelection{Epsilon: 1, Delta: 1e-9, Partitions: 2, Strategy: OptimalSelection}, []structField{{"Epsilon", "epsilon", false}, {"Delta", "delta", false}, {"Partitions", "partitions", false}}, nil},
	{Shuffle{Of: Pure{1}, People: 100}, []structField{{"People", "people", false}},
		param.Values{"of.mechanism": param.ChoiceValue("pure"), "of.epsilon": param.NumberValue(1)}},
	{Select{Of: Pure{1}, Distribution: Logarithmic, Mean: 2}, []structField{{"Mean", "runs.mean", false}, {"Count", "of.count", true}, {"Sampling", "of.sampling.rate", true}},
		param.Values{"of.mechanism": param.ChoiceValue("pure"), "of.epsilon": param.NumberValue(1), "runs.distribution": param.ChoiceValue("logarithmic")}},
}

// A struct with fields that were forgotten, or cannot be, has no valid bound by any path; one that the
// catalogue takes costs exactly what it costs there.
func TestStructsAreCheckedLikeTheCatalogue(t *testing.T) {
	values := []float64{0, -1, -1e-300, math.NaN(), math.Inf(1), math.Inf(-1), 1e308, 1e200,
		5e-324, 1e-150, 0.5, 1, 2, 5}
	target := accounting.Target{Delta: 1e-6}
	for _, s := range plainStructs(t) {
		t.Run(s.good.Kind(), func(t *testing.T) {
			if err := Validate(s.good); err != nil {
				t.Fatal(err)
			}
			gauge.Check(t, gauge.Cases(20, 100), func(t *rapid.T) {
				filled := reflect.New(reflect.TypeOf(s.good)).Elem()
				filled.Set(reflect.ValueOf(s.good))
				given := param.Values{}
				for name, v := range s.others {
					given[name] = v
				}
				for _, f := range s.fields {
					x := filled.FieldByName(f.name).Float()
					if rapid.Bool().Draw(t, "spoil "+f.name) {
						x = rapid.SampledFrom(values).Draw(t, f.name)
						filled.FieldByName(f.name).SetFloat(x)
					}
					if spec, _ := SpecOf(s.good.Kind(), given); x != 0 || !f.mayBeZero {
						p, _ := spec.Param(f.param)
						given[f.param] = param.Value{Type: p.Type, Number: x}
					}
				}
				m := filled.Interface().(Mechanism)
				built, refused := New(s.good.Kind(), given)
				setting := Setting{Adjacency: Replace}
				entries, _, err := Entries(m, setting)
				if refused != nil && err == nil {
					t.Fatalf("%+v is taken, and the catalogue says: %v", m, refused)
				}
				if refused == nil {
					want, _, wantErr := Entries(built, setting)
					if (err == nil) != (wantErr == nil) {
						t.Fatalf("%+v: %v, in the catalogue %v", m, err, wantErr)
					}
					if err == nil && accounting.Composite(entries).Key() != accounting.Composite(want).Key() {
						t.Fatalf("%+v is %s, in the catalogue %s", m, accounting.Composite(entries).Key(), accounting.Composite(want).Key())
					}
				}
				for _, k := range []float64{1, 0, -1, math.NaN()} {
					for _, b := range accounting.ClosedForms(context.Background(), m.Releases(k), target) {
						if b.Status == accounting.Valid && (refused != nil || k != 1) {
							t.Fatalf("%+v for %v records: %s gives %g", m, k, b.Method, b.Epsilon)
						}
					}
				}
			})
		})
	}
}

// Every mechanism of the catalogue checks its own fields.
func TestEveryStructIsChecked(t *testing.T) {
	for _, spec := range Catalogue() {
		m, err := New(spec.Name, spec.Initials())
		if err != nil {
			t.Fatal(spec.Name, err)
		}
		if _, ok := m.(validator); !ok {
			t.Errorf("%s: a struct with a forgotten field would not be refused", spec.Name)
		}
		if err := Validate(m); err != nil {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
}

// The figures of the report: forgotten or negative fields that were free, or less.
func TestForgottenFields(t *testing.T) {
	for _, m := range []Mechanism{
		Gaussian{Sigma: 1}, Laplace{Epsilon: -1, Sensitivity: 1}, Laplace{Sensitivity: 1},
		Matrix{NoiseMultiplier: 1, Steps: 4}, DPSGD{NoiseMultiplier: 1, SamplingRate: 0.1},
		SparseVector{Epsilon: 1, Sensitivity: 1}, Thresholdout{Sigma: 1, N: 10}, RDP{}, Approximate{Epsilon: -1},
		Approximate{Delta: 1}, Select{Of: Gaussian{Sigma: 1}, Distribution: Logarithmic, Mean: 2},
		Select{Distribution: Logarithmic, Mean: 2},
		NoisyMax{Epsilon: 1, Sensitivity: 1}, Frequency{Epsilon: 1, Domain: 4},
		PartitionSelection{Epsilon: 1, Delta: 1e-9, Partitions: 1}, RDP{Points: []param.Item{{Order: 2, Value: -1}}},
	} {
		if _, _, err := Entries(m, Setting{Adjacency: ZeroOut}); err == nil {
			t.Errorf("%+v is taken", m)
		}
		for _, b := range accounting.Compare(context.Background(), m.Releases(1), accounting.Target{Delta: 1e-6}) {
			if b.Status == accounting.Valid {
				t.Errorf("%+v: %s gives %g", m, b.Method, b.Epsilon)
			}
		}
	}
}

// A mixture whose lists are forgotten, of different lengths or not probabilities has no price.
func TestMixtureStructsAreChecked(t *testing.T) {
	for _, m := range []MixtureOfGaussians{
		{}, {Sigma: 1}, {Sigma: 1, Sensitivities: []float64{0, 1}}, {Sigma: 1, Sensitivities: []float64{0, 1}, Probabilities: []float64{1}},
		{Sigma: 1, Sensitivities: []float64{0, 1}, Probabilities: []float64{0.5, 0.4}}, {Sensitivities: []float64{1}, Probabilities: []float64{1}},
		{Sigma: 1, Sensitivities: []float64{-1}, Probabilities: []float64{1}}, {Sigma: 1, Sensitivities: []float64{math.NaN()}, Probabilities: []float64{1}},
		{Sigma: 1, Sensitivities: []float64{0, 1}, Probabilities: []float64{2, -1}},
	} {
		for _, b := range accounting.ClosedForms(context.Background(), m.Releases(1), accounting.Target{Delta: 1e-6}) {
			if b.Status == accounting.Valid {
				t.Errorf("%+v: %s gives %g", m, b.Method, b.Epsilon)
			}
		}
	}
}

// A misspelt adjacency must not pass for add-remove: under replace the same selection of groups costs twice the ε. Nor
// is there half a run.
func TestSettingsThatCannotBe(t *testing.T) {
	groups := PartitionSelection{Epsilon: 1, Delta: 1e-8, Partitions: 1, Strategy: OptimalSelection}
	training := DPSGD{NoiseMultiplier: 1, SamplingRate: 0.01, Steps: 100, Batches: Poisson}
	for _, s := range []Setting{{Adjacency: "Replace"}, {Adjacency: "bounded"}, {Adjacency: AddRemove, Count: 1.5},
		{Adjacency: AddRemove, Count: 0.01}, {Adjacency: AddRemove, Group: 1.5}} {
		for _, m := range []Mechanism{groups, training, Gaussian{Sigma: 1, Sensitivity: 1}} {
			if _, _, err := Entries(m, s); err == nil {
				t.Errorf("%s in %+v has a price", m.Kind(), s)
			}
		}
	}
}
