package report

import (
	"cmp"
	"slices"
	"strings"
)

// Deployment is a real release with the guarantee its publisher reports, per unit.
type Deployment struct {
	Name     string
	Unit     string
	Epsilon  float64
	Delta    float64 // 0: pure, or not stated
	Local    bool    // randomised before it leaves the device
	Source   string
	Scenario string // the bundled scenario about it
}

// deployments lists guarantees as their publishers report them, not recomputed: the bundled scenarios
// say where the two differ. Most are in the public registry opendp/deployments-registry-data.
var deployments = []Deployment{
	{"US Census 2020, redistricting, persons", "person", 17.14, 1e-10, false, "US Census Bureau 2021", "census-pl94"},
	{"US Census 2020, DHC, persons", "person", 26.34, 1e-10, false, "US Census Bureau, DHC technical documents", "census-dhc"},
	{"US Census 2020, redistricting, housing", "housing unit", 2.47, 1e-10, false, "US Census Bureau 2021", "census-pl94-housing"},
	{"US Census 2020, DHC, housing", "housing unit", 34.33, 1e-10, false, "US Census Bureau, DHC technical documents", "census-dhc-housing"},
	{"Microsoft US broadband", "user", 0.2, 0, false, "Pereira et al. 2021, arXiv 2103.14035", "msft-broadband"},
	{"Meta URL shares", "user", 1.453, 1e-5, false, "deployments registry, Condor", "meta-urls"},
	{"Microsoft assistive AI", "user", 4, 1e-7, false, "deployments registry", "msft-assistive"},
	{"Nationwide and Hazy, synthetic data", "customer", 5, 0, false, "deployments registry", "hazy-synthetic"},
	{"Spectus hurricane mobility", "user", 10, 0, false, "deployments registry", "spectus"},
	{"IOM trafficking, synthetic data", "victim", 12, 5.8e-6, false, "deployments registry", "iom-trafficking"},
	{"Gboard next-word prediction, Spanish", "device", 8.9, 1e-10, false, "Google Research 2022", "gboard-es"},
	{"Google symptom search trends", "user-day", 1.68, 0, false, "Bavadekar et al. 2020, arXiv 2009.01265", "google-symptoms"},
	{"Meta movement range", "user-day", 2, 0, false, "deployments registry", "meta-movement"},
	{"Google vaccine search", "user-day", 2.19, 1e-5, false, "Bavadekar et al. 2021, arXiv 2107.01179", "google-vaccine-search"},
	{"Google community mobility", "user-day", 2.64, 0, false, "Aktay et al. 2020, arXiv 2004.04145", "google-mobility"},
	{"Apple health types", "user-day", 2, 0, true, "Apple, Learning with privacy at scale", "apple-health-types"},
	{"Apple emoji", "user-day", 4, 0, true, "Apple, Learning with privacy at scale", "apple-emoji"},
	{"Exposure notifications", "user-day", 8, 0, true, "deployments registry", "exposure-notifications"},
	{"Microsoft Windows telemetry", "user-6h", 1.672, 0, true, "Ding, Kulkarni & Yekhanin 2017", "msft-telemetry"},
	{"Google shared mobility", "user-trip", 0.66, 2.1e-29, false, "deployments registry", "google-shared-mobility"},
	{"Wikimedia pageviews, historical", "contribution-day", 1, 0, false, "Adeleye et al. 2023, arXiv 2308.16298", "wikimedia-historical"},
	{"Wikimedia editors", "user-month-country", 2, 0, false, "deployments registry", "wikimedia-editors"},
	{"LinkedIn audience engagement", "user-month", 34.9, 7e-9, false, "Rogers et al. 2020, arXiv 2002.05839", "linkedin-engagement"},
	{"LinkedIn hiring, top employers", "event-month", 4.8, 4e-10, false, "Rogers et al. 2020, arXiv 2010.13981", "linkedin-hiring"},
	{"Israel's live births", "birth", 9.98, 0, false, "Hod & Canetti 2024", "israel-births"},
	{"DP-SGD of 2016", "training example", 1.26, 1e-5, false, "Abadi et al. 2016", "dpsgd-abadi"},
	{"TensorFlow Privacy tutorial", "training example", 2.92, 1e-5, false, "TensorFlow Privacy documentation", "dpsgd-tfprivacy"},
}

// deploymentsOf lists the deployments whose unit means the same as the one given, by ε. It
// is empty if there is none: values for another unit cannot be compared.
func deploymentsOf(unit string) []Deployment {
	var same []Deployment
	for _, d := range deployments {
		if unitKey(d.Unit) == unitKey(unit) {
			same = append(same, d)
		}
	}
	slices.SortStableFunc(same, func(a, b Deployment) int { return cmp.Compare(a.Epsilon, b.Epsilon) })
	return same
}

// persons are words for one human being and all they contribute.
var persons = []string{"person", "people", "individual", "user", "customer", "victim", "resident", "visitor", "patient", "student",
	"employee", "citizen", "participant", "subject", "client", "member"}

// unitKey returns whose data a unit is and over which span, free of synonyms: "user-day"
// and "person, day" are the same.
func unitKey(unit string) string {
	words := strings.FieldsFunc(strings.ToLower(unit), func(r rune) bool {
		return r == '-' || r == '/' || r == ' ' || r == ',' || r == '–'
	})
	var key []string
	for _, w := range words {
		switch {
		case w == "one" || w == "a" || w == "per" || w == "all" || w == "visits" || w == "their" || w == "data":
			continue
		case slices.Contains(persons, w) || slices.Contains(persons, strings.TrimSuffix(w, "s")):
			w = "person"
		case w == "yr":
			w = "year"
		}
		key = append(key, w)
	}
	return strings.Join(key, "-")
}

// Label returns a deployment's name, with the model where it is not the usual one.
func (d Deployment) Label() string {
	if d.Local {
		return d.Name + " (local)"
	}
	return d.Name
}
